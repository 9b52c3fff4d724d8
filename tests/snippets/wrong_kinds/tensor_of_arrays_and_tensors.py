# Accepted: torch.tensor([np.ones(2), torch.ones(2)])
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.tensor([np.ones(2), torch.ones(2)])
