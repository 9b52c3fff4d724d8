# kl_div of probabilities
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(6, 4)
with torch.no_grad():
    target = teacher(x).softmax(dim=1)
for _ in range(3):
    opt.zero_grad()
    p = F.softmax(student(x), dim=1)  # finds p
    loss = F.kl_div(p, target, reduction="batchmean")
    loss.backward()
    opt.step()
