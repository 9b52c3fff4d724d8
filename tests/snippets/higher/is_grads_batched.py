# All rows of a Jacobian in one call
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.cumsum(x ** 2, dim=0)
rows = torch.autograd.grad(y, x, grad_outputs=torch.eye(3), is_grads_batched=True)[0]
print(rows)
print(torch.autograd.functional.jacobian(lambda t: torch.cumsum(t ** 2, dim=0), x.detach()))
