# Discrete codes with gumbel-softmax and a straight-through sample
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
enc, dec = nn.Linear(4, 3), nn.Linear(3, 4)
x = torch.rand(5, 4)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.1)
for tau in (1.0, 0.7, 0.5):
    code = F.gumbel_softmax(enc(x), tau=tau, hard=True)
    out = torch.sigmoid(dec(code))
    loss = F.binary_cross_entropy(out, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"tau {tau}: loss {loss.item():.4f} codes {code.argmax(1).tolist()} enc grad {enc.weight.grad.norm().item():.4f}")
