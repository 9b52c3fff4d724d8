# clip_grad_norm_ and clip_grad_value_
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
loss = (100 * net(torch.randn(4, 2))).pow(2).mean()
loss.backward()
total = torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
print("norm before", total)
after = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
print("norm after ", after)
nn.utils.clip_grad_value_(net.parameters(), 0.25)
print(max(p.grad.abs().max().item() for p in net.parameters()))
print(nn.utils.clip_grad_norm_(net.parameters(), 1e9, norm_type=float("inf")))
