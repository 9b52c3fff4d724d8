# The first steps of a recurrent net hardly count
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
rnn = nn.RNN(3, 8, batch_first=True)
head = nn.Linear(8, 1)
x, y = torch.randn(4, 30, 3), torch.randn(4, 1)
out, h = rnn(x)  # finds rnn.weight_hh_l0
loss = F.mse_loss(head(out[:, -1]), y)
loss.backward()
