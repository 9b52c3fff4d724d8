# max, min, median, amax: who gets the gradient when values tie?
import torch

def show(name, f):
    x = torch.tensor([1.0, 3.0, 3.0, 2.0, 3.0], requires_grad=True)
    y = f(x)
    y.backward()
    print(f"{name:10} value {y.item():.1f}  grad {x.grad.tolist()}  {y.grad_fn.name()}")

show("max", lambda x: x.max())
show("amax", lambda x: x.amax())
show("max(dim)", lambda x: x.max(dim=0).values)
show("min", lambda x: x.min())
show("median", lambda x: x.median())
show("topk", lambda x: x.topk(2).values.sum())
show("sort", lambda x: x.sort(descending=True).values[:2].sum())
show("norm inf", lambda x: x.norm(p=float("inf")))
show("maximum", lambda x: torch.maximum(x, torch.full((5,), 3.0)).sum())
show("relu(0)", lambda x: torch.relu(x - 3).sum())
show("abs(0)", lambda x: (x - 3).abs().sum())
show("clamp", lambda x: x.clamp(max=3.0).sum())
