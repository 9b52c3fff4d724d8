# The gradient of a leaf that is an expanded or strided view of other memory is laid out row by row
import torch

w = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
row = torch.tensor([[2.0, 7.0]])
x = row.expand(2, -1).requires_grad_()
y = x @ w
y.backward(torch.eye(2))
print(x.stride(), x.grad.stride(), x.grad.view(-1))
z = torch.arange(16.0).view(4, 4).t()[::2].requires_grad_()
(z @ torch.ones(4, 3)).sum().backward()
print(z.stride(), z.grad.stride(), z.grad.is_contiguous())
z.grad = None
(z.t() * 2).sum().backward()
print(z.grad.stride())
