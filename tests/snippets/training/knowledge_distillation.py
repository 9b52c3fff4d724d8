# A student learns from a teacher's soft targets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
x, y, T = torch.randn(6, 4), torch.randint(0, 3, (6,)), 4.0
opt = torch.optim.SGD(student.parameters(), lr=0.5, momentum=0.9)
for epoch in range(5):
    with torch.no_grad():
        soft = F.softmax(teacher(x) / T, dim=1)
    out = student(x)
    kd = F.kl_div(F.log_softmax(out / T, dim=1), soft, reduction="batchmean") * T * T
    ce = F.cross_entropy(out, y)
    loss = 0.7 * kd + 0.3 * ce
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{epoch}: kd {kd.item():.4f} ce {ce.item():.4f}")
print(all(p.grad is None for p in teacher.parameters()))
