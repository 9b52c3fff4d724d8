# Mixture of experts: top-k gating, load balancing loss, noisy gates, routing with index_add
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0); E, D = 3, 4; gate, experts = nn.Linear(D, E), nn.ModuleList(nn.Linear(D, D) for _ in range(E)); x = torch.randn(5, D, requires_grad=True); logits = gate(x); top, idx = logits.topk(2, dim=1); w = top.softmax(1); out = torch.zeros_like(x)
for e in range(E):
    r, k = torch.where(idx == e)
    if r.numel(): out.index_add_(0, r, experts[e](x[r]) * w[r, k, None])
p = logits.softmax(1); load = F.one_hot(idx[:, 0], E).float().mean(0); aux = E * (p.mean(0) * load).sum(); (out.pow(2).mean() + .01 * aux + 1e-3 * torch.logsumexp(logits, 1).pow(2).mean()).backward(); print(idx, load, aux, gate.weight.grad.norm(), [ex.weight.grad is not None and round(ex.weight.grad.norm().item(), 5) for ex in experts], x.grad.norm())
