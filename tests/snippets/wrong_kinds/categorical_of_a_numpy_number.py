# AttributeError: 'numpy.int64' object has no attribute 'dim'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.distributions.Categorical(np.int64(2))
