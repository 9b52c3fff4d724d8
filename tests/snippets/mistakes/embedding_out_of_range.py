# A word id outside the vocabulary
import torch
import torch.nn as nn

torch.manual_seed(0)
emb = nn.Embedding(4, 2)
print(emb(torch.tensor([0, 3])).shape)
emb(torch.tensor([1, 4]))
