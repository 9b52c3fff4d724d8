# .grad of a non-leaf is None and warns; retain_grad keeps it
import torch
import warnings

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
z = (y ** 2).sum()
z.backward()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(y.grad)
print(len(caught), caught[0].category.__name__)
print(str(caught[0].message)[:58])

y = x * 3
y.retain_grad()
print(y.retains_grad, x.retains_grad)
(y ** 2).sum().backward()
print(y.grad)
print(x.grad)
