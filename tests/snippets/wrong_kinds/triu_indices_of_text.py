# TypeError: triu_indices(): argument 'row' (position 1) must be int, not str
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
print(torch.tril_indices(2, 2, 1))
torch.triu_indices("a", 2)
