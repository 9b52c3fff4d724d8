# RuntimeError: Trying to create tensor with negative dimension -3: [-3, 2]
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.Linear(2, -3)
