# kl_div with the teacher's probabilities first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

student = nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for _ in range(3):
    x, soft = torch.randn(8, 4), torch.softmax(torch.randn(8, 3), dim=1)
    predicted = F.log_softmax(student(x), dim=1)
    loss = F.kl_div(soft, predicted, reduction="batchmean")  # finds predicted
    opt.zero_grad()
    loss.backward()
    opt.step()
