# TypeError: slice indices must be integers or None or have an __index__ method
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.ModuleList([nn.ReLU()])['a':]
