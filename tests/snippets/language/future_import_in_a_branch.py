"""A future import in a branch."""
from __future__ import division
import torch

if torch.ones(1):
    from __future__ import print_function
