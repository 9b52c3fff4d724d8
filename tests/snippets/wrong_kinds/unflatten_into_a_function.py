# TypeError: unflatten(): argument 'sizes' (position 2) must be tuple of ints, not builtin_function_or_method
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(4).unflatten(0, len)
