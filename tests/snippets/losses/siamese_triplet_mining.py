# Batch-hard triplet mining, contrastive InfoNCE, cosine matrices, masks
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)
labels = torch.tensor([0, 0, 1, 1, 2, 2])
emb = nn.Linear(4, 3)
x = torch.randn(6, 4)
z = F.normalize(emb(x), p=2, dim=1)
D = torch.cdist(z, z)
same = labels.unsqueeze(0) == labels.unsqueeze(1)
eye = torch.eye(6, dtype=torch.bool)
hardest_pos = D.masked_fill(~same | eye, float("-inf")).max(1).values
hardest_neg = D.masked_fill(same, float("inf")).min(1).values
loss = F.relu(hardest_pos - hardest_neg + 0.3).mean()
loss.backward()
print(loss, emb.weight.grad.norm())
print(same.int())
emb.zero_grad()
z = F.normalize(emb(x), dim=1)
sim = z @ z.t() / 0.5
sim = sim.masked_fill(eye, -1e9)
pos = sim[torch.arange(6), torch.tensor([1, 0, 3, 2, 5, 4])]
nce = (-pos + torch.logsumexp(sim, dim=1)).mean()
alt = F.cross_entropy(sim, torch.tensor([1, 0, 3, 2, 5, 4]))
print(nce, torch.allclose(nce, alt))
nce.backward()
print(emb.weight.grad)
a, p, n = z[0::3], z[1::3], z[2::3]
for crit in (nn.TripletMarginLoss(margin=0.5), nn.TripletMarginLoss(margin=0.5, swap=True, p=1), nn.TripletMarginWithDistanceLoss(distance_function=lambda u, v: 1 - F.cosine_similarity(u, v))):
    print(crit(a, p, n))
t = torch.tensor([1., -1.])
print(nn.CosineEmbeddingLoss(margin=0.1)(a, p, t), nn.MarginRankingLoss(0.1)(a[:, 0], p[:, 0], t), nn.HingeEmbeddingLoss()(D[0, :2], t))
print(nn.PairwiseDistance(p=2)(a, p), nn.CosineSimilarity(dim=1)(a, p))
idx = torch.triu_indices(6, 6, offset=1)
pd = D[idx[0], idx[1]]
print(pd.shape, pd.grad_fn, F.pdist(z).sub(pd).abs().max() < 1e-6)
