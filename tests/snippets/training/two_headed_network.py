# Multi-task learning with uncertainty weights
import torch
import torch.nn as nn

class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 6), nn.Tanh())
        self.cls, self.reg = nn.Linear(6, 2), nn.Linear(6, 1)
        self.log_vars = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.trunk(x)
        return self.cls(h), self.reg(h).squeeze(-1)

torch.manual_seed(0)
net, opt = TwoHeads(), None
opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
x = torch.randn(10, 3)
labels, values = (x[:, 0] > 0).long(), x.sum(1)
for epoch in range(5):
    logits, pred = net(x)
    losses = torch.stack([nn.functional.cross_entropy(logits, labels), nn.functional.mse_loss(pred, values)])
    total = (torch.exp(-net.log_vars) * losses + net.log_vars).sum()
    opt.zero_grad()
    total.backward()
    opt.step()
    print(epoch, losses.tolist() if epoch == 0 else [round(l, 3) for l in losses.tolist()], f"{total.item():.3f}")
print(net.log_vars)
