# A decoder that is made of the encoder's weight
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
enc, dec = nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False)
dec.weight = nn.Parameter(enc.weight.t())  # finds dec.weight
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(8, 3)
    opt.zero_grad()
    F.mse_loss(dec(torch.tanh(enc(x))), x).backward()
    opt.step()
