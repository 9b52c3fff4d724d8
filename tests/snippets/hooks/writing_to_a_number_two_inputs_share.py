# A hook that writes to the gradient of a number changes it for the other input of an addition, too
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
d = torch.tensor(4.0, requires_grad=True)


def tripled(grad):
    grad *= 3


c = a * b
c.retain_grad()
d.register_hook(tripled)
e = c + d
e.retain_grad()
e.backward()
print(a.grad, b.grad, c.grad, d.grad, e.grad)

a.grad = b.grad = d.grad = None
e = a * b + d
print(torch.autograd.grad(e, (a, b, d)))
(a * b + 2 * d).backward()
print(a.grad, b.grad, d.grad)
torch.autograd.backward(a - b + d)
print(a.grad, b.grad, d.grad)
