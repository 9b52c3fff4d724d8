# TypeError: issubclass() arg 1 must be a class
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.nn.utils.skip_init(torch.ones, 2)
