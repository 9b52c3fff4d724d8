# TypeError: lr_lambda should be a function, but got int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.lr_scheduler.MultiplicativeLR(torch.optim.SGD([torch.ones(2, requires_grad=True)]), 3)
