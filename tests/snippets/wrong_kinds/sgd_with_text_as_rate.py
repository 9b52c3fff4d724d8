# TypeError: '<' not supported between instances of 'str' and 'float'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.SGD([torch.ones(2, requires_grad=True)], lr='a')
