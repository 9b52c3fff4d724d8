# Embedding gradients, padding_idx, max_norm, EmbeddingBag, scale_grad_by_freq, pretrained and frozen rows
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
emb = nn.Embedding(5, 2, padding_idx=0)
print(emb, emb.weight[0])
ids = torch.tensor([[1, 2, 0], [2, 2, 4]])
out = emb(ids)
print(out.shape, out.grad_fn)
(out * torch.arange(12.).view(2, 3, 2)).sum().backward()
print(emb.weight.grad)
freq = nn.Embedding.from_pretrained(torch.arange(6.).view(3, 2), freeze=False, scale_grad_by_freq=True)
freq(torch.tensor([0, 0, 2])).sum().backward()
print(freq.weight.grad, freq.weight.requires_grad)
frozen = nn.Embedding.from_pretrained(torch.eye(3))
print(frozen.weight.requires_grad, frozen(torch.tensor([2])).requires_grad)
mx = nn.Embedding(3, 2, max_norm=1.0)
with torch.no_grad():
    mx.weight.fill_(3.0)
print(mx(torch.tensor([1])).norm(), mx.weight)
bag = nn.EmbeddingBag(4, 2, mode="mean")
o = bag(torch.tensor([0, 1, 1, 3]), torch.tensor([0, 2]))
o.sum().backward()
print(o.shape, bag.weight.grad)
for mode in ("sum", "max"):
    b = nn.EmbeddingBag.from_pretrained(torch.arange(8.).view(4, 2), mode=mode)
    print(mode, b(torch.tensor([[0, 1], [2, 3]])))
tok, pos = nn.Embedding(6, 4), nn.Embedding(3, 4)
seq = torch.tensor([[5, 0, 1]])
h = tok(seq) + pos(torch.arange(3))
logits = h @ tok.weight.t()
F.cross_entropy(logits.view(-1, 6), seq.view(-1)).backward()
print(tok.weight.grad.norm(dim=1), pos.weight.grad.shape)
keep = torch.tensor([True, False, True, True, True, True])
tok.weight.register_hook(lambda g: g * keep.unsqueeze(1))
tok.zero_grad()
tok(seq).sum().backward()
print(tok.weight.grad.sum(1))
one = F.one_hot(seq, 6).float()
print(torch.allclose(one @ tok.weight, tok(seq)))
for bad in (lambda: emb(torch.tensor([5])), lambda: emb(torch.tensor([0.5])), lambda: emb(torch.tensor([-1])), lambda: nn.Embedding(3, 2, padding_idx=7), lambda: F.one_hot(torch.tensor([3]), 2), lambda: F.one_hot(torch.tensor([-1]))):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
