# An LSTM in both directions whose input does not lie in steps copies it once for both
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(2, 3, 2, requires_grad=True)
lstm = nn.LSTM(2, 2, num_layers=2, bidirectional=True, batch_first=True)
out, (h, c) = lstm(x)
out.sin().sum().backward()
print(x.grad)

embedding = nn.Embedding(5, 2)
steps = embedding(torch.tensor([[0, 1, 2], [3, 4, 0]])).permute(1, 0, 2)
both = nn.LSTM(2, 2, bidirectional=True)
out, (h, c) = both(steps)
scores = torch.bmm(out.permute(1, 0, 2), h.view(2, 4, 1)).squeeze(2)
scores.softmax(1).square().sum().backward()
print(embedding.weight.grad)
