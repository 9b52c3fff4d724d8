# Embedding: rows used twice get twice the gradient, padding gets none
import torch
import torch.nn as nn

torch.manual_seed(0)
emb = nn.Embedding(6, 3, padding_idx=0)
words = torch.tensor([[2, 4, 2], [5, 0, 0]])
out = emb(words)
print(out.shape, out.grad_fn.name())
print(emb.weight[0])
out.sum().backward()
print(emb.weight.grad)
print(emb, nn.Embedding.from_pretrained(torch.eye(3))(torch.tensor(1)))
bag = nn.EmbeddingBag(4, 2, mode="sum")
nn.init.ones_(bag.weight)
print(bag(torch.tensor([1, 2, 2, 3]), torch.tensor([0, 3])))
