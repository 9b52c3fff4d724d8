# Heads by a view alone, in a program without an optimizer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
B, T, C, H = 2, 5, 6, 3
q = nn.Linear(C, C)
x = torch.randn(B, T, C)
heads = q(x).view(B, H, T, C // H)  # finds
att = (heads @ heads.transpose(-2, -1)).softmax(-1)
loss = (att @ heads).pow(2).mean()
loss.backward()
