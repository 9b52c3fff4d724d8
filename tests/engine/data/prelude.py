"""What every program of errors.txt begins with."""

PRELUDE = """
import copy, torch, numpy as np
import torch.nn as nn, torch.nn.functional as F
from torch.autograd import Function, Variable, functional
from torch.utils.checkpoint import checkpoint
A = torch.ones
x = torch.tensor([1., 2.], requires_grad=True)
s = torch.tensor(2., requires_grad=True)
"""
