# TypeError: _NoParamDecoratorContextManager.__new__() got an unexpected keyword argument 'k'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.no_grad(k=2)
