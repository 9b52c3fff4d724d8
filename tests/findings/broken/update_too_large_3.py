# Steps by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
data = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(6)]
params = {"w": torch.randn(2, 1, requires_grad=True)}
for x, y in data:
    loss = (x @ params["w"] - y).pow(2).mean()
    loss.backward()  # finds params['w']
    with torch.no_grad():
        params["w"] -= 0.5 * params["w"].grad
    params["w"].grad = None
