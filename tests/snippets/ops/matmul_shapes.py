# matmul for vectors, matrices and batches: which node is it?
import torch

torch.manual_seed(0)
v, m, bt = torch.randn(3, requires_grad=True), torch.randn(4, 3, requires_grad=True), torch.randn(2, 3, 4, requires_grad=True)
pairs = [("v@v", v, v), ("m@v", m, v), ("v@m.T", v, m.T), ("m@m.T", m, m.T), ("bt@m", bt, m), ("m@bt", m, bt), ("v@bt", v, bt)]
for name, a, b in pairs:
    y = a @ b
    print(f"{name:6} {str(tuple(y.shape)):10} {y.grad_fn.name()}")
(bt @ m).sum().backward()
print(m.grad.shape, bt.grad.shape)
print(torch.mv(m, v).grad_fn.name(), torch.mm(m, m.t()).grad_fn.name(), torch.bmm(bt, bt.mT).grad_fn.name())
print(torch.addmm(torch.zeros(4, 4), m, m.T, beta=0.5, alpha=2).grad_fn.name(), torch.outer(v, v).grad_fn.name())
