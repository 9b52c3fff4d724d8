# ValueError: Expected all elements of parameter_and_buffer_dicts to be dictionaries
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
torch.func.functional_call(nn.Linear(2, 2), [1], torch.ones(2))
