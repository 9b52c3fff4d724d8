# Logistic regression with accuracy
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.cat([torch.randn(10, 2) + 1.5, torch.randn(10, 2) - 1.5])
y = torch.cat([torch.ones(10, 1), torch.zeros(10, 1)])

class LogisticRegression(nn.Module):
    def __init__(self, n_inputs):
        super(LogisticRegression, self).__init__()
        self.linear = nn.Linear(n_inputs, 1)

    def forward(self, x):
        return torch.sigmoid(self.linear(x))

model = LogisticRegression(2)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
bce = nn.BCELoss()
for epoch in range(8):
    p = model(x)
    loss = bce(p, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = (p.round() == y).float().mean()
    print(f"{epoch}: loss={loss:.3f} acc={acc:.0%}")
print(p.round().view(-1).int().tolist())
