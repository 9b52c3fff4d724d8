# detach: same numbers, no history
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2
d = y.detach()
print(d, d.requires_grad, d.grad_fn)
print("same memory:", d.data_ptr() == y.data_ptr())
loss = (y * d).sum()
loss.backward()
print(x.grad, "= 2x * x^2 =", (2 * x * x ** 2).detach())
x.grad = None
loss = (x ** 2 * x ** 2).sum()
loss.backward()
print(x.grad, "= 4x^3")
