# RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1
import torch
x = torch.ones(2, 3); y = torch.ones(4)
def f(a, b):
    return (a *
            b)
z = f(x,
      y)
