# view instead of permute before an RNN
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
rnn = nn.RNN(3, 4)
opt = torch.optim.SGD(rnn.parameters(), lr=0.1)
x = torch.randn(5, 7, 3)
seq = x.view(7, 5, 3)  # finds x
out, h = rnn(seq)
out.pow(2).mean().backward()
opt.step()
