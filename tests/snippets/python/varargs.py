# *args, **kwargs, keyword-only arguments, unpacking
import torch

def total(*tensors, weight=1.0, **options):
    result = sum(t.sum() for t in tensors) * weight
    return result / options.get("divide", 1)

a, b = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
settings = {"weight": 3.0, "divide": 2}
total(*[a, b], **settings).backward()
print(a.grad, b.grad)

def f(x, /, y=2, *, z):
    return x + y * z

print(f(1, z=3), f(1, 5, z=1))
for bad in (lambda: f(1), lambda: f(x=1, z=2), lambda: f(1, 2, 3), lambda: total(a, b, wight=2)["x"], lambda: f(1, z=1, q=2)):
    try:
        bad()
    except (TypeError, IndexError) as e:
        print(type(e).__name__, "-", e)
(x, y), *z = [(1, 2), 3, 4]
print(x, y, z, *range(3), {**{"a": 1}, "b": 2}, [*"ab", *z])
