# An assertion about shapes
import torch

def loss(pred, target):
    assert pred.shape == target.shape, f"shapes differ: {tuple(pred.shape)} and {tuple(target.shape)}"
    return ((pred - target) ** 2).mean()

print(loss(torch.zeros(2), torch.ones(2)))
print(loss(torch.zeros(2, 1), torch.ones(2)))
