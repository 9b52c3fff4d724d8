# Text pipeline: tokenising, vocabulary, bag of embeddings, training loop, predictions, confusion matrix
from collections import Counter, OrderedDict
import random
import string
import torch
import torch.nn as nn

data = [("good movie, really good!", 1), ("bad movie", 0), ("not good at all", 0), ("great fun", 1), ("boring and bad", 0), ("really great acting", 1)]
PAD, UNK = "<pad>", "<unk>"

def tokenize(s):
    return s.lower().translate(str.maketrans("", "", string.punctuation)).split()

counts = Counter(tok for s, _ in data for tok in tokenize(s))
print(counts.most_common(3), len(counts), sum(counts.values()))
vocab = OrderedDict((t, i) for i, t in enumerate([PAD, UNK] + sorted(counts, key=lambda t: (-counts[t], t))))
itos = {i: t for t, i in vocab.items()}

def encode(s, length=5):
    ids = [vocab.get(t, vocab[UNK]) for t in tokenize(s)][:length]
    return ids + [vocab[PAD]] * (length - len(ids))

X = torch.tensor([encode(s) for s, _ in data])
Y = torch.tensor([y for _, y in data])
print(X[0], [itos[i] for i in X[0].tolist()])

class Bag(nn.Module):
    def __init__(self, v, d, c):
        super().__init__()
        self.emb = nn.Embedding(v, d, padding_idx=0)
        self.fc = nn.Linear(d, c)
    def forward(self, x):
        m = (x != 0).unsqueeze(-1).float()
        pooled = (self.emb(x) * m).sum(1) / m.sum(1).clamp(min=1)
        return self.fc(pooled)

torch.manual_seed(0); random.seed(0)
net = Bag(len(vocab), 4, 2)
opt = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.01)
crit = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 1.2]))
order = list(range(len(data)))
for epoch in range(1, 4):
    random.shuffle(order)
    tot = 0.0
    for i in range(0, len(order), 2):
        idx = order[i:i + 2]
        logits = net(X[idx])
        loss = crit(logits, Y[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tot += loss.item() * len(idx)
    with torch.no_grad():
        acc = (net(X).argmax(-1) == Y).float().mean().item()
    print(f"epoch {epoch} order {order} loss {tot / len(data):.4f} acc {acc:.2%}")
print(net.emb.weight.grad[0], net.emb.weight[0])
net.eval()
with torch.no_grad():
    p = net(torch.tensor([encode("good unknown words"), encode("bad")])).softmax(-1)
print(p, p.argmax(1))
conf = torch.zeros(2, 2, dtype=torch.int64)
for t, q in zip(Y, net(X).argmax(1)):
    conf[t, q] += 1
print(conf, conf.diag().sum() / conf.sum())
tp, fp, fn = conf[1, 1].item(), conf[0, 1].item(), conf[1, 0].item()
print(f"precision {tp / max(tp + fp, 1):.2f} recall {tp / max(tp + fn, 1):.2f}")
