# TypeError: The inputs given to jvp must be either a Tensor or a tuple of Tensors but the given inputs has type
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.autograd.functional.jvp(torch.sum, torch.Tensor)
