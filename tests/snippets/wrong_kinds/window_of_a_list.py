# TypeError: '<' not supported between instances of 'list' and 'int'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.signal.windows.hann([])
