# An embedding that stays as it is
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(torch.randn(10, 4))
        self.out = nn.Linear(4, 2)

    def forward(self, i):
        return self.out(self.emb(i))


net = Tagger()
opt = torch.optim.SGD(net.out.parameters(), lr=0.1)  # finds net.emb.weight
for _ in range(3):
    opt.zero_grad()
    F.cross_entropy(net(torch.tensor([1, 2, 3])), torch.tensor([0, 1, 0])).backward()
    opt.step()
