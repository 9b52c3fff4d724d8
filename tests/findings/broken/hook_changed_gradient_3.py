# A hook on a hidden value that stops the gradient
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.ones(3, requires_grad=True)
h = x * 2


def stop(grad):
    return torch.zeros_like(grad)


h.register_hook(stop)  # finds h
h.sum().backward()
