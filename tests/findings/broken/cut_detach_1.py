# The encoder is detached by accident
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.encoder(x)).detach()  # finds model.encoder.weight
        return self.head(h)


model = Model()
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(16, 4), torch.randn(16, 1)
for epoch in range(3):
    opt.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    opt.step()
