# Modify what exp saved: the error names the versions
import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = x.exp()
z = y.sum()
y.mul_(2)
try:
    z.backward()
except RuntimeError as e:
    print(e)
x.grad = None
y = x + 1
z = y.sum()
y.mul_(2)
z.backward()
print("add saves nothing:", x.grad)
