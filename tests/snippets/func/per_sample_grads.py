# Per-sample gradients with vmap of grad, against a loop
import torch
from torch.func import grad, vmap

def loss(w, x, y):
    return (torch.tanh(x @ w) - y) ** 2

w = torch.tensor([0.1, -0.3, 0.2])
xs = torch.tensor([[1.0, 0.0, 2.0], [0.5, 0.5, 0.5], [-1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
ys = torch.tensor([0.0, 1.0, -1.0, 0.5])
per_sample = vmap(grad(loss), in_dims=(None, 0, 0))(w, xs, ys)
print(per_sample)
loop = torch.stack([grad(loss)(w, x, y) for x, y in zip(xs, ys)])
print(torch.allclose(per_sample, loop))
print("mean:", per_sample.mean(0))
