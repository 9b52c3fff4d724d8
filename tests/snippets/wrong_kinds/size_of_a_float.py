# TypeError: 'float' object is not iterable
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.Size(3.0)
