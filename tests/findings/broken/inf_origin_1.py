# log of a probability that is 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([0.0, 1.0], requires_grad=True)
p = w * 1.0
loss = -torch.log(p).sum()  # finds p
loss.backward()
