# A softmax of large scores
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
q = (torch.randn(6, 8) * 200).requires_grad_()
scores = q @ torch.randn(8, 6) * 10
att = torch.softmax(scores, dim=-1)  # finds att
(att @ torch.randn(6, 2)).sum().backward()
