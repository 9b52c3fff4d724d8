# One LSTM step written out
import torch
import torch.nn as nn

torch.manual_seed(1)
cell = nn.LSTMCell(2, 3)
x, h, c = torch.randn(1, 2), torch.zeros(1, 3), torch.zeros(1, 3)
h1, c1 = cell(x, (h, c))
gates = x @ cell.weight_ih.T + cell.bias_ih + h @ cell.weight_hh.T + cell.bias_hh
i, f, g, o = gates.chunk(4, dim=1)
c2 = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
h2 = torch.sigmoid(o) * torch.tanh(c2)
print(h1)
print(torch.allclose(h1, h2), torch.allclose(c1, c2))
a = torch.autograd.grad(h1.sum(), cell.weight_ih)[0]
b = torch.autograd.grad(h2.sum(), cell.weight_ih)[0]
print(torch.allclose(a, b, atol=1e-6), a.abs().sum().item())
