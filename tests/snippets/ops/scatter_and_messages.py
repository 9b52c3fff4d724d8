# scatter, scatter_add, index_add, segment sums and graph convolution message passing
import torch
edge = torch.tensor([[0, 0, 1, 3], [1, 2, 2, 0]])
h = torch.arange(8.).reshape(4, 2).requires_grad_()
w = torch.tensor([[1., 0.5], [-1., 2.]], requires_grad=True)
src, dst = edge
msg = (h @ w)[src]
agg = torch.zeros(4, 2).index_add(0, dst, msg)
deg = torch.zeros(4).scatter_add_(0, dst, torch.ones(4)).clamp(min=1)
out = torch.relu(agg / deg[:, None]); out.sum().backward(); print(out, h.grad, w.grad)
h.grad = w.grad = None
m2 = torch.zeros(4, 2).scatter_reduce(0, dst[:, None].expand(-1, 2), msg.detach(), reduce="amax", include_self=False); print(m2)
for red in ("sum", "prod", "mean", "amax", "amin"):
    s = torch.ones(3, requires_grad=True); v = torch.tensor([2., 3., 3., 0.], requires_grad=True)
    r = s.scatter_reduce(0, torch.tensor([0, 1, 1, 2]), v, reduce=red); r.sum().backward(); print(red, r, s.grad, v.grad)
A = torch.zeros(4, 4); A[src, dst] = 1; D = torch.diag(A.sum(0).clamp(min=1) ** -0.5); print(D @ A @ D)
onehot = torch.zeros(3, 4).scatter_(1, torch.tensor([[1], [3], [0]]), 1.0); print(onehot, torch.zeros(3).scatter(0, torch.tensor([0, 0]), torch.tensor([1., 2.]), reduce="add"))
att = torch.tensor([0.1, 0.5, 0.3, 0.9], requires_grad=True)
e = (att - torch.zeros(4).scatter_reduce(0, dst, att.detach(), "amax")[dst]).exp(); alpha = e / torch.zeros(4).scatter_add(0, dst, e)[dst]
(alpha * torch.arange(4.)).sum().backward(); print(alpha, att.grad)
try: torch.zeros(2).scatter_(0, torch.tensor([5]), 1.)
except RuntimeError as e: print(e)
try: torch.zeros(2).scatter_add(0, torch.tensor([0]), torch.ones(1, dtype=torch.double))
except RuntimeError as e: print(e)
try: torch.zeros(2, 2).index_add(0, torch.tensor([0, 1]), torch.ones(3, 2))
except RuntimeError as e: print(e)
