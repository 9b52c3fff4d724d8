# An output layer made of the embedding's data
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(6, 4)
        self.out = nn.Linear(4, 6)
        self.out.weight = nn.Parameter(self.embedding.weight.data)  # finds model.out.weight

    def forward(self, ids):
        return self.out(self.embedding(ids))


model = Model()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    ids = torch.randint(0, 6, (8,))
    opt.zero_grad()
    F.cross_entropy(model(ids), (ids + 1) % 6).backward()
    opt.step()
