# A Variable of .data
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

from torch.autograd import Variable

w = torch.ones(3, requires_grad=True)
h = w * 2
h = Variable(h.data, requires_grad=True)  # finds w
loss = h.sum()
loss.backward()
print(w.grad)
