# TypeError: ones() takes 1 positional argument but 2 were given
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(np.ones(2), 3)
