# TypeError: cannot create 'torch.memory_format' instances
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.memory_format()
