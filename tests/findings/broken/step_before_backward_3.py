# A class that trains
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Trainer:
    def __init__(self):
        self.w = torch.randn(2, requires_grad=True)
        self.opt = torch.optim.SGD([self.w], lr=0.1)

    def turn(self):
        loss = (self.w * 2).sum()
        self.opt.step()  # finds
        self.opt.zero_grad()
        loss.backward()


trainer = Trainer()
for _ in range(3):
    trainer.turn()
