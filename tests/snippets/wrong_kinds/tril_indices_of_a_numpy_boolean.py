# TypeError: tril_indices(): argument 'row' (position 1) must be int, not numpy.bool
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.tril_indices(np.bool_(True), 2)
