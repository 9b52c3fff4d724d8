# The first of two passes is infinite, the second one healthy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
k = torch.tensor([0.0, 3.0], requires_grad=True)
g = torch.tensor([1.0, 2.0], requires_grad=True)
torch.log(k).sum().backward()  # finds k
(3 * g).sum().backward()
