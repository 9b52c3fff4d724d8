# TypeError: tuple expected at most 1 argument, got 2
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
tuple(1, 2)
