# Buffers, non-persistent buffers, strict loading, prefix and assign
import torch
import torch.nn as nn

class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(1))
        self.register_buffer("cache", torch.ones(1), persistent=False)
        self.w = nn.Parameter(torch.tensor([2.0]))

    def forward(self, x):
        self.total += x.detach().sum()
        return x * self.w

m = Running()
m(torch.tensor([1.0, 2.0])).sum().backward()
print(m.total, m.w.grad, list(m.state_dict()), m.state_dict(prefix="run."))
n = Running()
n.load_state_dict({"w": torch.tensor([5.0]), "total": torch.tensor([9.0])})
print(n.w, n.total, n.w is m.w)
print(n.load_state_dict({"w": torch.tensor([6.0]), "other": torch.ones(1)}, strict=False))
print([k for k, _ in n.named_buffers()], dict(n.named_parameters()))
