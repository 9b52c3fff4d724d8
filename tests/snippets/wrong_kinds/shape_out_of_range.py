# IndexError: tuple index out of range
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.arange(3).shape[7]
