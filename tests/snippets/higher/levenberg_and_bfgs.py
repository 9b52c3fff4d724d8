# Gauss-Newton, Levenberg-Marquardt with jacrev, BFGS by hand with line search
import torch
t = torch.linspace(0, 1, 6, dtype=torch.double); d = 2 * torch.exp(-1.5 * t) + .01; r = lambda p: p[0] * torch.exp(-p[1] * t) + p[2] - d; p, lam = torch.tensor([1., 1., 0.], dtype=torch.double), 1e-2
for i in range(6):
    J, e = torch.func.jacrev(r)(p), r(p); s = torch.linalg.solve(J.T @ J + lam * torch.eye(3, dtype=torch.double), -J.T @ e); 
    if r(p + s).norm() < e.norm(): p, lam = p + s, lam / 3
    else: lam *= 3
    print(i, [round(v, 6) for v in p.tolist()], f"{r(p).norm().item():.3e}")
f = lambda x: (1 - x[0]) ** 2 + 5 * (x[1] - x[0] ** 2) ** 2; x, H = torch.tensor([-1., 1.], dtype=torch.double), torch.eye(2, dtype=torch.double); g = torch.func.grad(f)
for i in range(5):
    gx = g(x); dx = -H @ gx; a = 1.
    while f(x + a * dx) > f(x) + 1e-4 * a * gx @ dx: a /= 2
    s = a * dx; yk = g(x + s) - gx; rho = 1 / (yk @ s); I = torch.eye(2, dtype=torch.double); H = (I - rho * torch.outer(s, yk)) @ H @ (I - rho * torch.outer(yk, s)) + rho * torch.outer(s, s); x = x + s; print(i, a, [round(v, 6) for v in x.tolist()])
