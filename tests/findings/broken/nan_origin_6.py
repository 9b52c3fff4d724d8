# A number that is missing in the data
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor([1.0, float("nan"), 3.0])  # finds x
w = torch.tensor(2.0, requires_grad=True)
loss = ((w * x - 1) ** 2).mean()
loss.backward()
print(w.grad)
