# RuntimeError: value cannot be converted to type double without overflow
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.arange(1j)
