# Encoder, decoder and teacher forcing on number reversal
import torch
import torch.nn as nn
import random

random.seed(0)
torch.manual_seed(0)
V, H, SOS = 6, 8, 5
embed, enc, dec, head = nn.Embedding(V, H), nn.GRU(H, H), nn.GRUCell(H, H), nn.Linear(H, V)
params = [p for m in (embed, enc, dec, head) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=0.02)
data = [[random.randint(0, 4) for _ in range(3)] for _ in range(4)]
print(data)
for epoch in range(3):
    total = 0.0
    for seq in data:
        _, h = enc(embed(torch.tensor(seq)).unsqueeze(1))
        h, token, loss = h[0], torch.tensor([SOS]), 0
        for target in reversed(seq):
            h = dec(embed(token), h)
            logits = head(h)
            loss = loss + nn.functional.cross_entropy(logits, torch.tensor([target]))
            token = torch.tensor([target]) if random.random() < 0.5 else logits.argmax(1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / len(seq)
    print(f"epoch {epoch}: {total / len(data):.4f}")
