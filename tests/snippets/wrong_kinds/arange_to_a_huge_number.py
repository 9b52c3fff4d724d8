# OverflowError: int too big to convert
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.arange(2**70)
