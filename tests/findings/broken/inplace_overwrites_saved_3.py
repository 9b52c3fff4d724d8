# An element is written in a loop
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor(0.5, requires_grad=True)
states = torch.ones(4)
for t in range(1, 4):
    states[t] = states[t - 1] * w  # finds states
loss = states.sum()
loss.backward()
