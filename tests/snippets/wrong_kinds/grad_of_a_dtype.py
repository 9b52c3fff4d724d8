# TypeError: 'torch.dtype' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.autograd.grad(torch.float32, torch.ones(2))
