# TypeError: int() argument must be a string, a bytes-like object or a real number, not 'torch.device'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(torch.device("cpu"))
