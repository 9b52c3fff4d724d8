# numpy in the middle of a model
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
import numpy as np

w = torch.randn(4, requires_grad=True)
h = w * 2
a = np.sin(h.detach().numpy())  # finds w
loss = torch.from_numpy(a).sum()
loss.backward()
