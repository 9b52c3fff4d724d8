# Gaussian process hyperparameters by marginal likelihood: cholesky, solves, logdet and their gradients
import math
import torch
torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
X = torch.linspace(0, 4, 8).unsqueeze(1)
y = torch.sin(X).squeeze() + 0.1 * torch.randn(8)
log_l = torch.tensor(0.0, requires_grad=True)
log_s = torch.tensor(0.0, requires_grad=True)
log_n = torch.tensor(-2.0, requires_grad=True)
params = {"length": log_l, "signal": log_s, "noise": log_n}

def kernel(A, B):
    d2 = torch.cdist(A, B).pow(2) if False else (A - B.T).pow(2)
    return log_s.exp() ** 2 * torch.exp(-0.5 * d2 / log_l.exp() ** 2)

def nll():
    K = kernel(X, X) + log_n.exp() ** 2 * torch.eye(8)
    L = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y.unsqueeze(1), L)
    return 0.5 * y @ alpha.squeeze() + L.diagonal().log().sum() + 4 * math.log(2 * math.pi)

opt = torch.optim.Adam(params.values(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = nll()
    loss.backward()
    print(i, f"{loss.item():.6f}", {k: f"{v.exp().item():.4f} ({v.grad.item():+.4f})" for k, v in params.items()})
    opt.step()
K = (kernel(X, X) + log_n.exp() ** 2 * torch.eye(8)).detach().requires_grad_()
g1, = torch.autograd.grad(torch.logdet(K), K)
print(torch.allclose(g1, torch.linalg.inv(K.detach()).T))
g2, = torch.autograd.grad(y @ torch.linalg.solve(K, y), K)
a = torch.linalg.solve(K.detach(), y)
print(torch.allclose(g2, -torch.outer(a, a)))
with torch.no_grad():
    Xs = torch.tensor([[0.5], [5.0]])
    Ks = kernel(Xs, X)
    mean = Ks @ torch.linalg.solve(K, y)
    var = kernel(Xs, Xs) - Ks @ torch.linalg.solve(K, Ks.T)
print(mean, var.diagonal())
L = torch.linalg.cholesky(K)
print(L.grad_fn, torch.linalg.slogdet(K), torch.linalg.cond(K.detach()) > 1)
try:
    torch.linalg.cholesky(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))
except Exception as e:
    print(type(e).__name__, e)
try:
    torch.linalg.inv(torch.zeros(2, 2))
except Exception as e:
    print(type(e).__name__, e)
torch.set_default_dtype(torch.float32)
