# TypeError: 'int' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.autograd.grad(torch.ones(2, requires_grad=True).sum(), 3)
