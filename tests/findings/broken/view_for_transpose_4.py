# Batches of sequences for an RNN, without an optimizer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
rnn = nn.RNN(5, 6)
x = torch.randn(4, 7, 5)
x_t = x.view(7, 4, 5)  # finds x
out, h = rnn(x_t)
loss = out.pow(2).mean()
loss.backward()
