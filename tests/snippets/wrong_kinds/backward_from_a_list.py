# TypeError: gradients can be either Tensors or None, but got int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(2, requires_grad=True).backward(gradient=[1, 2])
