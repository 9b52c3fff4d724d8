# Clip the gradient on its way back with a hook
import torch

def clipped(limit):
    return lambda g: g.clamp(-limit, limit)

x = torch.tensor([0.1, 1.0, 10.0], requires_grad=True)
y = x ** 3
y.register_hook(clipped(0.5))
y.backward(torch.tensor([0.2, 1.0, -7.0]))
print(x.grad)
print((3 * x ** 2).detach() * torch.tensor([0.2, 0.5, -0.5]))
