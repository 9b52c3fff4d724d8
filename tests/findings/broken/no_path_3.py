# A temperature that is computed and forgotten
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
params = {"w": torch.randn(2, 3, requires_grad=True), "t": torch.ones(1, requires_grad=True)}
t = params["t"]
opt = torch.optim.Adam(params.values())
x, y = torch.randn(4, 2), torch.tensor([0, 1, 2, 1])
for _ in range(2):
    logits = x @ params["w"]
    scaled = logits / t  # finds t
    loss = F.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
