# A metric of numpy as a loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
import numpy as np

net = nn.Linear(3, 1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
pred = net(x).detach().numpy()  # finds net.weight
loss = torch.tensor(np.mean((pred - y.numpy()) ** 2), requires_grad=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss.backward()
opt.step()
