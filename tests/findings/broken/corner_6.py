# Two equal inputs of maximum
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
a = torch.tensor([1.0, 5.0], requires_grad=True)
b = torch.tensor([1.0, 2.0], requires_grad=True)
torch.maximum(a, b).sum().backward()  # finds a
