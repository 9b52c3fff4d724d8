# An inference tensor that a write would have to save is refused before anything is written
import torch

x = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    fixed = torch.full((3,), 2.0)
y = x * 3
part = y[:2]
for write in (lambda: y.mul_(fixed), lambda: part.div_(fixed[:2]), lambda: y.addcmul_(fixed, y.detach())):
    try:
        write()
    except RuntimeError as e:
        print(e)
    print(y.tolist(), y._version, y.grad_fn.name())
y.add_(fixed)
print(y.tolist(), y._version, y.grad_fn.name())
y.sum().backward()
print(x.grad)
