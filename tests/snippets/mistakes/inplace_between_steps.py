# Updating weights before the second backward
import torch
import torch.nn as nn

torch.manual_seed(0)
a, b = nn.Linear(2, 2), nn.Linear(2, 1)
opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
h = a(torch.ones(1, 2))
out = b(h)
loss1, loss2 = out.mean(), (out ** 2).mean()
loss1.backward(retain_graph=True)
opt.step()
print("stepped")
loss2.backward()
