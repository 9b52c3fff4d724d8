# TypeError: 'builtin_function_or_method' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(2, requires_grad=True).backward(print)
