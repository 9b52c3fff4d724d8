# TypeError: slice indices must be integers or None or have an __index__ method
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(3)[int:2]
