# Two layers that share one weight
import torch
import torch.nn as nn

torch.manual_seed(0)

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.out = nn.Linear(3, 5, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        return self.out(self.embed(ids).mean(dim=0))

m = Tied()
print(len(list(m.parameters())), list(m.state_dict()))
loss = nn.functional.cross_entropy(m(torch.tensor([1, 3])).unsqueeze(0), torch.tensor([2]))
loss.backward()
print(m.out.weight is m.embed.weight, m.out.weight.grad is m.embed.weight.grad)
print(loss)
print(m.embed.weight.grad)
