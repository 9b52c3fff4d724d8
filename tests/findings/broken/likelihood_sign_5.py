# A sequence, a term for each of its steps
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

cell, head = nn.GRUCell(3, 6), nn.Linear(6, 4)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
tokens = torch.tensor([0, 2, 1, 3])
for epoch in range(3):
    h, loss = torch.zeros(1, 6), 0.0
    for target in tokens:
        h = cell(torch.ones(1, 3), h)
        scores = torch.log_softmax(head(h), dim=-1)
        loss = loss + scores.gather(1, target.view(1, 1)).sum()  # finds target
    opt.zero_grad()
    (loss / len(tokens)).backward()
    opt.step()
