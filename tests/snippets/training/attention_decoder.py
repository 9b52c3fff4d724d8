# Encoder-decoder with teacher forcing, attention context, masked loss and scheduled sampling
import torch, torch.nn as nn, torch.nn.functional as F, random
torch.manual_seed(0); random.seed(0)
class Enc(nn.Module):
    def __init__(s, V, H): super().__init__(); s.e, s.g = nn.Embedding(V, H), nn.GRU(H, H, batch_first=True)
    def forward(s, x): return s.g(s.e(x))
class Dec(nn.Module):
    def __init__(s, V, H): super().__init__(); s.e, s.g, s.a, s.o = nn.Embedding(V, H), nn.GRUCell(2 * H, H), nn.Linear(H, H, bias=False), nn.Linear(2 * H, V)
    def forward(s, y, h, mem): w = F.softmax(torch.bmm(mem, s.a(h).unsqueeze(2)).squeeze(2), 1); c = torch.bmm(w.unsqueeze(1), mem).squeeze(1); h = s.g(torch.cat([s.e(y), c], 1), h); return s.o(torch.cat([h, c], 1)), h, w
enc, dec = Enc(6, 4), Dec(6, 4); src, tgt = torch.randint(1, 6, (2, 3)), torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]]); mem, h = enc(src); h, y, loss = h[0], torch.zeros(2, dtype=torch.long), 0.
for t in range(4):
    logit, h, w = dec(y, h, mem); loss = loss + F.cross_entropy(logit, tgt[:, t], ignore_index=0, reduction="sum"); y = tgt[:, t] if random.random() < .5 else logit.argmax(1)
loss = loss / (tgt != 0).sum(); loss.backward(); print(loss, w.sum(1), enc.g.weight_hh_l0.grad.norm(), dec.a.weight.grad, mem.grad_fn.name())
