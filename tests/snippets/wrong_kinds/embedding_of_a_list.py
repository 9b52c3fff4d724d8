# TypeError: empty(): argument 'size' (position 1) must be tuple of ints, but found element of type list at pos 
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Embedding([], 2)
