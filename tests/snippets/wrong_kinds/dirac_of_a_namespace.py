# AttributeError: module 'torch.func' has no attribute 'ndimension'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.init.dirac_(torch.func)
