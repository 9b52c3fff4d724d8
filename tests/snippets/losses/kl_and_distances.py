# KL divergence, cosine similarity, triplet and margin losses
import torch
import torch.nn.functional as F

p = torch.tensor([0.4, 0.6])
q = torch.tensor([0.1, 0.9], requires_grad=True)
kl = F.kl_div(q.log(), p, reduction="sum")
print(kl, (p * (p / q).log()).sum().item())
kl.backward()
print(q.grad)
a = torch.tensor([[1.0, 0.0], [0.0, 2.0]], requires_grad=True)
pos, neg = torch.tensor([[1.0, 0.1], [0.0, 1.0]]), torch.tensor([[0.9, 0.0], [1.0, 1.0]])
cos = F.cosine_similarity(a, pos)
print(cos)
loss = F.triplet_margin_loss(a, pos, neg, margin=0.5)
loss.backward()
print(loss, a.grad)
print(F.margin_ranking_loss(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([1.0]), margin=0.5))
print(F.hinge_embedding_loss(torch.tensor([0.3, 2.0]), torch.tensor([1.0, -1.0])), F.pairwise_distance(a, neg))
