# Error(s) in loading state_dict
import torch
import torch.nn as nn

torch.manual_seed(0)
old = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
new = nn.Sequential(nn.Linear(2, 4), nn.Linear(4, 1), nn.Linear(1, 1))
print(sorted(old.state_dict()))
new.load_state_dict(old.state_dict())
