# inplace=True is allowed when the input was not saved
import torch
import torch.nn.functional as F

x = torch.tensor([[-1.0, 2.0]], requires_grad=True)
w = torch.tensor([[1.0, -1.0], [0.5, 0.5]], requires_grad=True)
h = x @ w
F.relu(h, inplace=True)
print(h)
h.sum().backward()
print(x.grad, w.grad)
s = torch.sigmoid(x)
s = torch.relu_(s)
try:
    s.sum().backward()
except RuntimeError as e:
    print(str(e)[:88])
