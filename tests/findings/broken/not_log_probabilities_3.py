# A student is distilled with kl_div of its scores
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

teacher, student = nn.Linear(4, 3).requires_grad_(False), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    soft = F.softmax(teacher(x) / 2, dim=-1)
    loss = F.kl_div(student(x), soft, reduction="batchmean") * 4  # finds
    opt.zero_grad()
    loss.backward()
    opt.step()
