# TypeError: object of type 'torch.dtype' has no len()
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
len(torch.float32)
