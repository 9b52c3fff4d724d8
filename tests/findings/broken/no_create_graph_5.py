# A saliency that is differentiated again, with allow_unused
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
image = torch.rand(1, 4, 4, requires_grad=True)
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 3))
score = net(image)[0, 1]
(saliency,) = torch.autograd.grad(score, image)  # finds saliency
objective = saliency.abs().sum()
objective.requires_grad = True
(g,) = torch.autograd.grad(objective, image, allow_unused=True)
print(-g)
