# TypeError: 'torch.layout' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.nn.utils.clip_grad_norm_(torch.strided, 2)
