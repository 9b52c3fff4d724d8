# A target network: deepcopy, soft updates, and equality
import copy
import torch
import torch.nn as nn

torch.manual_seed(0)
online = nn.Linear(2, 1)
target = copy.deepcopy(online)
for p in target.parameters():
    p.requires_grad_(False)
print(target.weight is online.weight, torch.equal(target.weight, online.weight))
with torch.no_grad():
    online.weight += 1.0
tau = 0.1
for step in range(3):
    for tp, op in zip(target.parameters(), online.parameters()):
        tp.data.copy_(tau * op.data + (1.0 - tau) * tp.data)
    print(step, (online.weight - target.weight).abs().max().item())
print(target.weight, target.weight.requires_grad)
