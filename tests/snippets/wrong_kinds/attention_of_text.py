# TypeError: '<=' not supported between instances of 'str' and 'int'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.MultiheadAttention(2, 'a')
