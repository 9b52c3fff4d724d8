# A function for each step that makes its optimizer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

from torch.optim import AdamW


def train_step(model, x, y):
    optimizer = AdamW(model.parameters(), lr=0.01)  # finds model.0.weight
    optimizer.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
print(train_step(model, x[:4], y[:4]))
print(train_step(model, x[4:8], y[4:8]))
print(train_step(model, x[8:], y[8:]))
