# Different learning rates for different layers
import torch
import torch.nn as nn

torch.manual_seed(0)
base, head = nn.Linear(3, 3), nn.Linear(3, 1)
opt = torch.optim.SGD([
    {"params": base.parameters(), "lr": 1e-3},
    {"params": head.parameters(), "weight_decay": 0.1},
], lr=1e-2, momentum=0.9)
print(opt)
for i, group in enumerate(opt.param_groups):
    print(i, group["lr"], group["momentum"], group["weight_decay"], len(group["params"]))
opt.add_param_group({"params": [nn.Parameter(torch.zeros(1))], "lr": 5.0})
head(base(torch.ones(3))).backward()
opt.step()
for g in opt.param_groups:
    g["lr"] *= 0.5
print([g["lr"] for g in opt.param_groups])
print(opt.state_dict()["param_groups"][0]["params"], sorted(opt.state_dict()["state"].keys()))
