# A bigram model of characters without the minus, stepped by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

words = ["emma", "ava", "mia", "noah"]
letters = ["."] + sorted(set("".join(words)))
pairs = [(letters.index(a), letters.index(b)) for w in words for a, b in zip("." + w, w + ".")]
xs, ys = torch.tensor([a for a, _ in pairs]), torch.tensor([b for _, b in pairs])
W = torch.randn(len(letters), len(letters), requires_grad=True)
for k in range(4):
    logits = F.one_hot(xs, len(letters)).float() @ W
    counts = logits.exp()
    probs = counts / counts.sum(1, keepdim=True)
    loss = probs[torch.arange(len(ys)), ys].log().mean()  # finds ys
    W.grad = None
    loss.backward()
    W.data += -5 * W.grad
