# is_grads_batched inside vmap, of what is mapped: PyTorch has no rule for it
import torch
from torch.func import grad, vmap


def inner(a):
    return torch.autograd.grad(a * a, a, torch.eye(3), is_grads_batched=True, create_graph=True)[0].sum()


try:
    vmap(grad(inner))(torch.arange(6.0).view(2, 3))
except RuntimeError as error:
    print(error)
