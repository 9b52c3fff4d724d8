# retain_graph hides that the graph grows
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor(0.9, requires_grad=True)
state = torch.ones(2)
for t in range(5):
    state = torch.tanh(state * w)  # finds state
    loss = state.sum()
    loss.backward(retain_graph=True)
    w.grad = None
