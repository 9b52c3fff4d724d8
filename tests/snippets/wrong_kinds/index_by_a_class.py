# IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.ones(3)[int]
