# A method that is overwritten
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.ones(3)
x.requires_grad_ = True  # finds
(x * 2).sum().backward()
