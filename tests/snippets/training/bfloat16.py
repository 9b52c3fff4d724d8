# Training in bfloat16: parameters, gradients and momentum are rounded after each op.
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(8, 3).bfloat16()
target = (x.sum(dim=1, keepdim=True) > 0).to(torch.bfloat16)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)).to(torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
for step in range(4):
    optimizer.zero_grad()
    loss = ((model(x) - target) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), model[0].weight.grad.dtype)
print(model[0].weight)
