# AttributeError: module 'torch.nn' has no attribute 'shape'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.init.kaiming_normal_(torch.nn)
