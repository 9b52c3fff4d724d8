# TypeError: 'int' object is not subscriptable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.Adam([torch.ones(2, requires_grad=True)], betas=3)
