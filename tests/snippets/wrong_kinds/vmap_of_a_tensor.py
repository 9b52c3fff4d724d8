# TypeError: 'Tensor' object is not callable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.func.vmap(torch.ones(2))(torch.ones(2))
