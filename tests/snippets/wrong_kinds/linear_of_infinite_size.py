# TypeError: empty(): argument 'size' (position 1) must be tuple of ints, but found element of type float at pos
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Linear(2, 1e400)
