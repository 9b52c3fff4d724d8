# A result is copied
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
h = torch.tanh(w)  # finds h
kept = copy.deepcopy(h)
