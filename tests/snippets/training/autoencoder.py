# An autoencoder with a two-dimensional code
import torch
from torch import nn

torch.manual_seed(0)
data = torch.rand(12, 6)

class AutoEncoder(nn.Module):
    def __init__(self, n, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n, 4), nn.ReLU(), nn.Linear(4, code))
        self.decoder = nn.Sequential(nn.Linear(code, 4), nn.ReLU(), nn.Linear(4, n), nn.Sigmoid())

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(code), code

model = AutoEncoder(6, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=1e-3)
history = []
for epoch in range(8):
    reconstruction, code = model(data)
    loss = nn.functional.mse_loss(reconstruction, data)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print(["%.5f" % h for h in history])
print(code.shape, code[:2], history[-1] < history[0])
