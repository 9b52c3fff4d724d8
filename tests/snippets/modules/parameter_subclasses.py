# Classes derived from Parameter: how they print, extra arguments, and how modules take them
import torch
from torch import nn

class Positive(nn.Parameter):
    def value(self):
        return self.exp()

class Tagged(nn.Parameter):
    def __new__(cls, data, requires_grad=True, tag=None):
        made = super().__new__(cls, data, requires_grad)
        made.tag = tag
        return made

    def __repr__(self):
        return f"<{self.tag}> " + super().__repr__()

torch.manual_seed(0)
p = Positive(torch.zeros(2, 2))
q = Tagged(torch.randn(3, dtype=torch.float64), tag="offsets")
print(p)
print(q)
print(p.value(), type(p + 1).__name__)
m = nn.Module()
m.p, m.q = p, q
print(m)
print(list(m.named_parameters()))
(m.p.value().sum() + m.q.pow(2).sum()).backward()
print(m.p.grad, m.q.grad)
print(type(m.p).__name__, isinstance(m.p, nn.Parameter), m.q.tag, m.state_dict())
torch.optim.SGD(m.parameters(), lr=0.5).step()
print(m.p, m.q.data)
