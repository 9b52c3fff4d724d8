# TypeError: 'torch.dtype' object is not callable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.float32()
