# TypeError: cannot create 'torch.layout' instances
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.layout(requires_grad=1)
