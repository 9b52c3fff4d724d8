# ValueError: Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_func
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.distributions.Normal('a', 1)
