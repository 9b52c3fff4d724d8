# Derivatives up to order five, Taylor series, mixed partials, Laplacian, directional, grad of grad norm
import torch
import math

def nth(f, x0, n):
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    y = f(x)
    out = [y.item()]
    for _ in range(n):
        if not y.requires_grad:
            out.append(0.0)
            continue
        y, = torch.autograd.grad(y, x, create_graph=True)
        out.append(y.item())
    return [round(v, 6) + 0.0 for v in out]

fs = {"sin": torch.sin, "exp": torch.exp, "x^4": lambda x: x ** 4, "1/x": lambda x: 1 / x, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "log": torch.log, "sqrt": torch.sqrt, "softplus": torch.nn.functional.softplus, "x*sin": lambda x: x * x.sin(), "atan": torch.atan, "gelu": torch.nn.functional.gelu, "x^x": lambda x: x ** x, "erf": torch.erf, "logsumexp": lambda x: torch.logsumexp(torch.stack([x, 2 * x]), 0), "cosh": torch.cosh, "abs": torch.abs, "relu": torch.relu, "norm": lambda x: torch.stack([x, x ** 2]).norm(), "prod": lambda x: torch.stack([x, x + 1, x + 2]).prod(), "div": lambda x: x / (1 + x ** 2), "silu": torch.nn.functional.silu, "max": lambda x: torch.max(x, x ** 2), "rsqrt": torch.rsqrt, "expm1": torch.expm1, "log1p": torch.log1p, "lgamma": torch.lgamma, "softmax": lambda x: torch.stack([x, x * 2, x * 3]).softmax(0)[0]}
for name, f in fs.items():
    print(f"{name:<10}", nth(f, 0.7, 5))
c = nth(torch.sin, 0.0, 5)
t = 0.3
print(sum(v * t ** k / math.factorial(k) for k, v in enumerate(c)), math.sin(t))
x = torch.tensor([1.0, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
f = x[0] ** 2 * x[1] + torch.sin(x[1] * x[2])
g, = torch.autograd.grad(f, x, create_graph=True)
lap = sum(torch.autograd.grad(g[i], x, retain_graph=True)[0][i] for i in range(3))
fxy = torch.autograd.grad(g[0], x, retain_graph=True)[0][1]
d = torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64)
dd = torch.autograd.grad(g @ d, x, retain_graph=True)[0] @ d
pen, = torch.autograd.grad(g.norm(), x)
print(g, lap, fxy, dd, pen)
print(g.grad_fn, f.grad_fn)
