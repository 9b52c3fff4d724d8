# A teacher is a moving average of its student
import torch
import torch.nn as nn
import torch.nn.functional as F
import copy
import torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(0)
student = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.detach_()
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
for _ in range(6):
    x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
    out = student(x)
    loss = F.cross_entropy(out, y) + F.mse_loss(out.softmax(1), teacher(x).softmax(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.mul_(0.99).add_(s, alpha=0.01)
