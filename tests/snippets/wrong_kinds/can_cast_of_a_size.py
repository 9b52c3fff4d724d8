# TypeError: can_cast(): argument 'from_' (position 1) must be torch.dtype, not torch.Size
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.can_cast(torch.Size([2]), torch.float32)
