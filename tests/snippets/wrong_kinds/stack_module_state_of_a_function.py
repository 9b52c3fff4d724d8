# TypeError: object of type 'builtin_function_or_method' has no len()
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.func.stack_module_state(len)
