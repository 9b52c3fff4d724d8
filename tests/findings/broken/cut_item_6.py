# Mixing weights become a list of numbers
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor([0.3, 0.7]))
        self.f = nn.Linear(4, 4)
        self.g = nn.Linear(4, 4)
    def forward(self, x):
        p, q = self.alpha.tolist()  # finds gate.alpha
        return p * self.f(x) + q * self.g(x)
gate = Gate()
opt = torch.optim.SGD(gate.parameters(), lr=0.1)
for k in range(3):
    x = torch.randn(5, 4)
    loss = (gate(x) - x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
