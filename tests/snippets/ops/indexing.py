# Gradients of every way to index
import torch

x = torch.arange(12.0).reshape(3, 4).requires_grad_()

def grad_of(y):
    x.grad = None
    y.sum().backward()
    return x.grad

print(grad_of(x[1]))
print(grad_of(x[:, 2]))
print(grad_of(x[::2, 1:3]))
print(grad_of(x[[0, 0, 2]]))
print(grad_of(x[torch.tensor([0, 1]), torch.tensor([3, 3])]))
print(grad_of(x[x > 8]))
print(grad_of(x[..., -1]))
print(grad_of(x[None, 1, 1]))
print(x[[0, 0, 2]].grad_fn.name(), x[1].grad_fn.name(), x[:, 1:3].grad_fn.name())
