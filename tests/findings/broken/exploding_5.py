# Recurrent weights that are too large
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
rnn = nn.RNN(2, 4, nonlinearity="relu")
with torch.no_grad():
    rnn.weight_hh_l0.copy_(2.5 * torch.eye(4))
x = torch.rand(15, 3, 2)
out, h = rnn(x)  # finds rnn.weight_hh_l0
h.sum().backward()
