# RuntimeError: Could not infer dtype of type
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.tensor([list])
