# TensorDataset, shuffling with a seed, and a training epoch
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(0)
X = torch.arange(10.0).unsqueeze(1) / 10
Y = 2 * X - 1
loader = DataLoader(TensorDataset(X, Y), batch_size=4, shuffle=True)
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    running = 0.0
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item() * len(xb)
    print(f"epoch {epoch} {running / len(loader.dataset):.5f} last batch {xb.flatten().tolist()}")
