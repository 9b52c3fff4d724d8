# Differentiable sorting surrogates, ListNet, pairwise ranking, soft top-k, median and quantile gradients
import torch
import torch.nn.functional as F
s = torch.tensor([0.2, 1.5, -0.3, 0.9], requires_grad=True)
rel = torch.tensor([1.0, 3.0, 0.0, 2.0])
listnet = -(F.softmax(rel, 0) * F.log_softmax(s, 0)).sum()
print(listnet, torch.autograd.grad(listnet, s)[0])
diff = s.unsqueeze(1) - s.unsqueeze(0)
pref = (rel.unsqueeze(1) > rel.unsqueeze(0)).float()
ranknet = (F.softplus(-diff) * pref).sum() / pref.sum()
print(ranknet, torch.autograd.grad(ranknet, s)[0])
soft_rank = torch.sigmoid(-diff / 0.1).sum(1) + 0.5
print(soft_rank, torch.argsort(s, descending=True))
v, i = torch.sort(s, descending=True)
dcg = ((2 ** rel[i] - 1) / torch.log2(torch.arange(4) + 2.0)).sum()
print(v, i, dcg, v.grad_fn)
g = torch.autograd.grad((v * torch.tensor([4., 3., 2., 1.])).sum(), s)[0]
print(g)
for f in (torch.median, lambda t: torch.quantile(t, 0.25), lambda t: t.kthvalue(2).values, lambda t: t.max() - t.min(), lambda t: t.topk(2).values.sum(), lambda t: t.cummax(0).values.sum(), lambda t: torch.logsumexp(t / 0.1, 0) * 0.1, lambda t: t.std(), lambda t: (t - t.mean()).abs().mean()):
    out = f(s)
    print(f"{out.item():.4f}", out.grad_fn.name(), torch.autograd.grad(out, s)[0])
a = torch.tensor([2.0, 2.0, 1.0], requires_grad=True)
print(torch.autograd.grad(a.max(), a)[0], torch.autograd.grad(a.max(0).values, a)[0], torch.autograd.grad(a.amax(), a)[0], torch.autograd.grad(torch.maximum(a, torch.full((3,), 2.0)).sum(), a)[0], torch.autograd.grad(torch.sort(a).values[1], a)[0])
print(torch.autograd.grad(F.relu(torch.zeros(2, requires_grad=True) * a[:2]).sum(), a)[0], torch.autograd.grad(a.clamp(2, 3).sum(), a)[0], torch.autograd.grad((a - 2).abs().sum(), a)[0], torch.autograd.grad(a.sub(2).sign().sum(), a)[0])
