# The double-where trick: why one where is not enough
import torch

x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
y = torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x))
y.sum().backward()
print("one where:", x.grad)
x.grad = None
safe = torch.where(x > 0, x, torch.ones_like(x))
y = torch.where(x > 0, torch.sqrt(safe), torch.zeros_like(x))
y.sum().backward()
print("two wheres:", x.grad)
z = torch.tensor([0.0], requires_grad=True)
(z / z).backward()
print("0/0:", z.grad)
