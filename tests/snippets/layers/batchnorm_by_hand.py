# Batch, layer, instance and group normalisation by hand with running statistics and gradients
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(4, 6, 3, requires_grad=True)

def norm(x, dims, eps=1e-5):
    m = x.mean(dims, keepdim=True)
    v = x.var(dims, keepdim=True, unbiased=False)
    return (x - m) / torch.sqrt(v + eps)

bn = nn.BatchNorm1d(6)
ln = nn.LayerNorm((6, 3))
inn = nn.InstanceNorm1d(6)
gn = nn.GroupNorm(2, 6)
mine = {"bn": norm(x, (0, 2)), "ln": norm(x, (1, 2)), "in": norm(x, (2,)), "gn": norm(x.view(4, 2, -1), (2,)).view_as(x)}
theirs = {"bn": bn(x), "ln": ln(x), "in": inn(x), "gn": gn(x)}
w = torch.randn_like(x)
for k in mine:
    g1, = torch.autograd.grad((mine[k] * w).sum(), x, retain_graph=True)
    g2, = torch.autograd.grad((theirs[k] * w).sum(), x, retain_graph=True)
    print(k, torch.allclose(mine[k], theirs[k], atol=1e-5), torch.allclose(g1, g2, atol=1e-5), theirs[k].grad_fn.name(), mine[k].grad_fn.name())
print(bn.running_mean, bn.num_batches_tracked)
print(torch.allclose(bn.running_var, 0.9 + 0.1 * x.var((0, 2))), bn)
bn.eval()
e = bn(x)
print(torch.allclose(e, (x - bn.running_mean.view(1, -1, 1)) / (bn.running_var.view(1, -1, 1) + 1e-5).sqrt(), atol=1e-6), e.grad_fn)
bn.train()
bn.momentum = None
for _ in range(3):
    bn(torch.randn(4, 6, 3))
print(bn.num_batches_tracked, bn.running_mean[:3])
bn.reset_running_stats()
print(bn.running_var.sum(), [n for n, _ in bn.named_buffers()], list(bn.state_dict()))
no = nn.BatchNorm1d(6, affine=False, track_running_stats=False)
print(no, list(no.parameters()), no.running_mean)
try:
    nn.BatchNorm1d(6)(torch.randn(1, 6))
except ValueError as err:
    print(err)
try:
    bn(torch.randn(2, 5, 3))
except RuntimeError as err:
    print(err)
rms = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
print(torch.allclose(rms, F.rms_norm(x, (3,), eps=1e-6), atol=1e-6), nn.RMSNorm(3)(x).grad_fn)
