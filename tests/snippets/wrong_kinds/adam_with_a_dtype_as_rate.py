# TypeError: '<=' not supported between instances of 'float' and 'torch.dtype'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.Adam([torch.ones(2, requires_grad=True)], lr=torch.float32)
