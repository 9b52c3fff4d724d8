# TypeError: numel(): argument 'input' (position 1) must be Tensor, not int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.numel(3)
