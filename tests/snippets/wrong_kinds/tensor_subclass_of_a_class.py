# TypeError: new(): data must be a sequence (got type)
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
class T(torch.Tensor): pass
print(T([1.0, 2.0]), type(T(2)).__name__)
T(ValueError)
