# TypeError: 'int' object is not callable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.func.grad(3)(torch.ones(2))
