# Activations and their slopes in a table
import torch
import torch.nn.functional as F

points = [-2.0, -0.5, 0.0, 0.5, 2.0]
for f in (torch.sigmoid, torch.tanh, F.relu, F.gelu, F.silu, F.elu, F.softplus, F.leaky_relu, F.hardtanh, F.mish, F.selu, F.logsigmoid):
    x = torch.tensor(points, requires_grad=True)
    y = f(x)
    y.sum().backward()
    slopes = " ".join(f"{s:7.4f}" for s in x.grad.tolist())
    print(f"{f.__name__:12} {y.grad_fn.name():24} {slopes}")
