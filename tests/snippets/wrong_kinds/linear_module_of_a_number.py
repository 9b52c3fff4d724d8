# TypeError: linear(): argument 'input' (position 1) must be Tensor, not int
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Linear(2, 2)(3)
