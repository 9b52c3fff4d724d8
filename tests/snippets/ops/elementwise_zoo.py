# More functions than anybody remembers, and their slopes
import torch

x = torch.tensor([0.3, 0.7, 1.6], dtype=torch.float64)
fs = "sin cos tan asinh atan sinh cosh exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal sigmoid erf erfc lgamma digamma frac trunc floor ceil abs neg logit sinc erfinv i0".split()
for name in fs:
    v = x.clone() * (0.5 if name in ("logit", "erfinv") else 1.0)
    v.requires_grad_()
    y = getattr(torch, name)(v)
    y.sum().backward()
    print(f"{name:10} {y.grad_fn.name():20} {[round(t, 5) for t in y.tolist()]} {[round(g, 5) for g in v.grad.tolist()]}")
