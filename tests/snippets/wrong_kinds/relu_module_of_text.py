# TypeError: relu(): argument 'input' (position 1) must be Tensor, not str
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.ReLU()('a')
