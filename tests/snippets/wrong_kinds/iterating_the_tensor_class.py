# TypeError: 'torch._C._TensorMeta' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
for i in torch.Tensor: pass
