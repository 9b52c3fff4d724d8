# TypeError: empty(): argument 'size' failed to unpack the object at pos 2 with error "type must be tuple of int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Linear(torch.float32, 2)
