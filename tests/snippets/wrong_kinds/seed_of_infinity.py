# OverflowError: cannot convert float infinity to integer
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(float('inf'))
