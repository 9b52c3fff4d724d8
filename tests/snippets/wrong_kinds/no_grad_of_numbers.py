# TypeError: _NoParamDecoratorContextManager.__new__() takes from 1 to 2 positional arguments but 3 were given
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.no_grad(1, 2)
