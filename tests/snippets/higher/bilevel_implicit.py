# Unrolled and implicit hypergradients of ridge regression agree
import torch
torch.set_default_dtype(torch.float64)
torch.manual_seed(2)
A, y = torch.randn(6, 3), torch.randn(6)
Av, yv = torch.randn(4, 3), torch.randn(4)
lam = torch.tensor(0.3, requires_grad=True)

def inner(w):
    return 0.5 * ((A @ w - y) ** 2).sum() + 0.5 * lam.exp() * w @ w

def outer(w):
    return 0.5 * ((Av @ w - yv) ** 2).mean()

w = torch.zeros(3, requires_grad=True)
for _ in range(60):
    g, = torch.autograd.grad(inner(w), w, create_graph=True)
    w = w - 0.05 * g
L = outer(w)
unrolled, = torch.autograd.grad(L, lam)
print("unrolled", unrolled)
w_star = torch.linalg.solve(A.T @ A + lam.exp() * torch.eye(3), A.T @ y)
direct, = torch.autograd.grad(outer(w_star), lam)
print("direct", direct, w_star.grad_fn)
ws = w_star.detach().requires_grad_()
g_in = torch.autograd.grad(inner(ws), ws, create_graph=True)[0]
H = torch.stack([torch.autograd.grad(gi, ws, retain_graph=True)[0] for gi in g_in])
v = torch.autograd.grad(outer(ws), ws)[0]
q = torch.linalg.solve(H, v)
implicit, = torch.autograd.grad(g_in @ q, lam)
print("implicit", -implicit)
print(torch.allclose(unrolled, direct, rtol=1e-2), torch.allclose(-implicit, direct))
def cg(mv, b, n=10, tol=1e-10):
    x = torch.zeros_like(b); r = b.clone(); p = r.clone(); rs = r @ r
    for i in range(n):
        Ap = mv(p); a = rs / (p @ Ap); x += a * p; r -= a * Ap
        new = r @ r
        if new.sqrt() < tol: break
        p = r + new / rs * p; rs = new
    return x, i
hv = lambda p: torch.autograd.grad(g_in2, ws, p, retain_graph=True)[0]
g_in2 = torch.autograd.grad(inner(ws), ws, create_graph=True)[0]
x, i = cg(hv, v)
print(torch.allclose(x, q), i)
torch.set_default_dtype(torch.float32)
