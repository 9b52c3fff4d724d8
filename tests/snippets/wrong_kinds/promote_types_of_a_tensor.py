# TypeError: promote_types(): argument 'type1' (position 1) must be torch.dtype, not Tensor
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.promote_types(torch.ones(2), torch.float32)
