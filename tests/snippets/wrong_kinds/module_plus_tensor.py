# TypeError: unsupported operand type(s) for +: 'Linear' and 'Tensor'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Linear(2, 2) + torch.ones(2)
