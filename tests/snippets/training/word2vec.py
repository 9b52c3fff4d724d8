# Skip-gram with negative sampling on a toy corpus
import torch
import torch.nn as nn
import torch.nn.functional as F

sentence = "the quick brown fox jumps over the lazy dog".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(sentence))}
pairs = [(vocab[sentence[i]], vocab[sentence[j]]) for i in range(len(sentence)) for j in (i - 1, i + 1) if 0 <= j < len(sentence)]
print(len(vocab), len(pairs), pairs[:4])
torch.manual_seed(0)
center, context = nn.Embedding(len(vocab), 3), nn.Embedding(len(vocab), 3)
opt = torch.optim.SGD([*center.parameters(), *context.parameters()], lr=0.5)
for epoch in range(4):
    total = 0
    for c, o in pairs:
        v, u = center(torch.tensor(c)), context(torch.tensor(o))
        neg = context(torch.randint(0, len(vocab), (2,)))
        loss = -F.logsigmoid(v @ u) - F.logsigmoid(-(neg @ v)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(pairs):.4f}")
with torch.no_grad():
    sims = F.cosine_similarity(center.weight[vocab["fox"]].unsqueeze(0), center.weight)
print(sorted(vocab, key=lambda w: -sims[vocab[w]])[:1])
