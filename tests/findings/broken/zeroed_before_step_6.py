# Gradients are set to None before the step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=.1)
loss_fn = nn.CrossEntropyLoss()
def train_one_epoch(loader):
    for i, (x, y) in enumerate(loader):
        out = net(x)
        loss = loss_fn(out, y)
        loss.backward()
        for p in net.parameters():
            p.grad = None  # finds net.1.weight
        optimizer.step()
train_one_epoch([(torch.randn(4, 1, 4, 4), torch.randint(0, 10, (4,))) for _ in range(3)])
