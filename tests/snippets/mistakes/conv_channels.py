# expected input to have other channels
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
print(net[0].weight.shape)
net(torch.zeros(1, 1, 8, 8))
