# ValueError: batch_size should be a positive integer value, but got batch_size=a
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
next(iter(torch.utils.data.DataLoader([1, 2], batch_size='a')))
