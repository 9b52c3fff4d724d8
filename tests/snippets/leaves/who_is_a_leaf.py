# Which of these are leaves?
import torch

torch.manual_seed(0)

a = torch.rand(3, requires_grad=True)
b = torch.rand(3, requires_grad=True).double()
c = torch.rand(3) + 2
d = torch.rand(3).to(torch.float64).requires_grad_()
e = a.clone()
f = a.detach()
g = torch.nn.Parameter(a.detach().clone())
h = a.data
for name, t in [("a", a), ("b", b), ("c", c), ("d", d), ("e", e), ("f", f), ("g", g), ("h", h)]:
    print(f"{name}: is_leaf={t.is_leaf!s:5} requires_grad={t.requires_grad!s:5} grad_fn={type(t.grad_fn).__name__}")
