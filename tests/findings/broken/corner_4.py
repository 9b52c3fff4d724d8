# A norm at 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
v = torch.zeros(3, requires_grad=True)
v.norm().backward()  # finds v
