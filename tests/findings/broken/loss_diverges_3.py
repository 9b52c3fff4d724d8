# maximize=True by accident
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
def train(w, steps):
    opt = torch.optim.SGD([w], lr=0.5, maximize=True)
    for _ in range(steps):
        opt.zero_grad()
        loss = (w - 3).pow(2).mean()
        loss.backward()  # finds loss
        opt.step()


train(torch.zeros(3, requires_grad=True), 7)
