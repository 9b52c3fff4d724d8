# TypeError: empty(): argument 'size' (position 1) must be tuple of ints, not Sequential
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.BatchNorm1d(nn.Sequential())
