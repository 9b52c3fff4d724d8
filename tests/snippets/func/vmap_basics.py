# vmap: write for one, run for many
import torch
from torch.func import vmap

x = torch.arange(6.0).reshape(3, 2)
w = torch.tensor([1.0, 10.0])
print(vmap(torch.dot, in_dims=(0, None))(x, w))
print(vmap(lambda row: row.sum() * row)(x))
print(vmap(torch.add, in_dims=(0, 1))(x, torch.ones(2, 3)).shape)
print(vmap(lambda v: v ** 2, out_dims=1)(x))
