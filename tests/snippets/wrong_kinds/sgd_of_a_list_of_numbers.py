# TypeError: optimizer can only optimize Tensors, but one of the params is int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.SGD([5], lr=1)
