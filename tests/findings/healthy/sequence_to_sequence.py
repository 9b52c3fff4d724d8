# Teacher forcing in turns
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
e1, e2 = nn.Embedding(9, 6), nn.Embedding(9, 6)
enc, dec = nn.GRU(6, 8), nn.GRU(6, 8)
out = nn.Linear(8, 9)
ps = [p for m in (e1, e2, enc, dec, out) for p in m.parameters()]
opt = torch.optim.Adam(ps, lr=1e-2)
for it in range(4):
    src, tgt = torch.randint(0, 9, (5, 2)), torch.randint(0, 9, (5, 2))
    _, h = enc(e1(src))
    x = torch.zeros(1, 2, dtype=torch.long)
    loss = 0
    for t in range(5):
        o, h = dec(e2(x), h)
        l = out(o[0])
        loss = loss + F.cross_entropy(l, tgt[t])
        x = tgt[t : t + 1] if it % 2 else l.argmax(1, keepdim=True).t().detach()
    opt.zero_grad()
    loss.backward()
    opt.step()
