# SGD with momentum in the function that trains one epoch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

def train_one_epoch(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)  # finds model.weight
    for x, y in batches:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()


model = nn.Linear(4, 3)
batches = [(torch.randn(6, 4), torch.randint(0, 3, (6,))) for _ in range(4)]
for epoch in range(4):
    train_one_epoch(model, batches)
