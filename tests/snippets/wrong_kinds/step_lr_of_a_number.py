# TypeError: int is not an Optimizer
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.optim.lr_scheduler.StepLR(3, 2)
