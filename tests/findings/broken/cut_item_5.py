# A temperature is divided by as a number
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
temperature = nn.Parameter(torch.ones(1) * 1.5)
logits = torch.randn(10, 4)
labels = torch.randint(0, 4, (10,))
head = nn.Linear(4, 4)
optimizer = torch.optim.Adam([temperature, *head.parameters()], lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    scaled = head(logits) / temperature.item()  # finds temperature
    loss = F.cross_entropy(scaled, labels)
    loss.backward()
    optimizer.step()
