# TypeError: set expected at most 1 argument, got 2
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
set([1], [2])
