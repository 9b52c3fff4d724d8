# The slope of abs at 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor([0.0, -2.0], requires_grad=True)
y = x.abs().sum()  # finds x
y.backward()
