# TypeError: unsupported operand type(s) for %: 'torch.dtype' and 'int'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Conv2d(1, torch.int, 1)
