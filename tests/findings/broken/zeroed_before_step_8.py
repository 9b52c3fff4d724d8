# Two tasks in a function, each with zero_grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
def train_step(model, optimizer, first, second):
    optimizer.zero_grad()
    loss_a = F.l1_loss(model(first[0]), first[1])
    loss_a.backward()
    optimizer.zero_grad()  # finds net.weight
    loss_b = F.l1_loss(model(second[0]), second[1])
    loss_b.backward()
    optimizer.step()
    return loss_a.item() + loss_b.item()


net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(3):
    train_step(net, opt, (torch.randn(4, 3), torch.randn(4, 1)), (torch.randn(4, 3), torch.randn(4, 1)))
