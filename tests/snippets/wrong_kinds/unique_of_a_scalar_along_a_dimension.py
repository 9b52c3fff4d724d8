# IndexError: Dimension specified as 0 but tensor has no dimensions
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.tensor(1).unique(dim=0)
