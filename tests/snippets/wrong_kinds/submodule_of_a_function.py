# AttributeError: 'builtin_function_or_method' object has no attribute 'split'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Module().get_submodule(len)
