# Complex-valued layers, holomorphic derivatives, phase retrieval, conjugate gradients of |Ax|
import torch
torch.manual_seed(0); A = torch.randn(3, 2, dtype=torch.cdouble); x = torch.randn(2, dtype=torch.cdouble); y = (A @ x).abs() ** 2; z = torch.randn(2, dtype=torch.cdouble, requires_grad=True)
for i in range(3):
    l = ((A @ z).abs() ** 2 - y).pow(2).sum(); g, = torch.autograd.grad(l, z); z = (z - .01 * g).detach().requires_grad_(); print(i, f"{l.item():.6f}", g)
W = torch.nn.Parameter(torch.randn(2, 2, dtype=torch.cfloat)); o = torch.optim.Adam([W], lr=.1); v = torch.view_as_complex(torch.ones(2, 2)); 
for _ in range(2): o.zero_grad(); ((W @ v).abs() - 1).pow(2).sum().backward(); o.step(); print(W.data)
f = lambda t: t ** 3; t = torch.tensor(1 + 1j, requires_grad=True); f(t).real.backward(); print(t.grad, (3 * t ** 2).conj()); u = torch.tensor([1 + 2j], requires_grad=True); u.real.sum().backward(); print(u.grad); u.grad = None; u.imag.sum().backward(); print(u.grad); u.grad = None; u.angle().sum().backward(); print(u.grad, torch.linalg.norm(A), A.mH.shape, torch.vdot(x, x))
print(torch.autograd.gradcheck(lambda q: q.abs().sum(), z), torch.autograd.gradcheck(lambda q: q * q.conj(), z))
