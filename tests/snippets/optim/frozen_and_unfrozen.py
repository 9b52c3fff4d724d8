# Unfreeze during training: add_param_group and requires_grad_
import torch
import torch.nn as nn

torch.manual_seed(0)
body, head = nn.Linear(2, 2), nn.Linear(2, 1)
body.requires_grad_(False)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(6, 2), torch.randn(6, 1)
for epoch in range(4):
    if epoch == 2:
        body.requires_grad_(True)
        opt.add_param_group({"params": body.parameters(), "lr": 0.01})
    opt.zero_grad()
    loss = nn.functional.mse_loss(head(torch.tanh(body(x))), y)
    loss.backward()
    opt.step()
    print(epoch, f"{loss.item():.4f}", [p.grad is not None for p in body.parameters()], [g["lr"] for g in opt.param_groups])
