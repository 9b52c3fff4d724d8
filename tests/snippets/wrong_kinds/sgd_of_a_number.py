# TypeError: 'int' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.SGD(5, lr=1)
