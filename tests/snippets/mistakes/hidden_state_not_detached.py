# The hidden state carries the old graph into the next step
import torch
import torch.nn as nn

torch.manual_seed(0)
rnn = nn.RNN(2, 3)
hidden = torch.zeros(1, 1, 3)
for step in range(3):
    x = torch.ones(1, 1, 2) * step
    out, hidden = rnn(x, hidden)
    loss = out.sum()
    print("step", step, round(loss.item(), 4))
    loss.backward()
