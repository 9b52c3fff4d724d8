# Siamese network with a contrastive loss
import torch
import torch.nn as nn
import torch.nn.functional as F

class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.PReLU(), nn.Linear(8, 2))

    def forward(self, a, b):
        return self.net(a), self.net(b)

def contrastive(a, b, same, margin=1.0):
    d = F.pairwise_distance(a, b)
    return torch.mean(same * d.pow(2) + (1 - same) * F.relu(margin - d).pow(2))

torch.manual_seed(0)
m = Siamese()
x1, x2, same = torch.randn(6, 4), torch.randn(6, 4), torch.tensor([1., 0., 1., 0., 1., 0.])
opt = torch.optim.Adagrad(m.parameters(), lr=0.1)
for e in range(4):
    loss = contrastive(*m(x1, x2), same)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(e, f"{loss.item():.4f}", f"prelu {m.net[1].weight.item():.4f}")
