# A hook that doubles
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.ones(2, requires_grad=True)
w.register_hook(lambda g: g * 2)  # finds w
(w * 3).sum().backward()
