# Save, load, and what a mismatch says
import torch
import torch.nn as nn

torch.manual_seed(0)
a = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
b = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
x = torch.tensor([[1.0, -1.0]])
print(torch.equal(a(x), b(x)))
print(b.load_state_dict(a.state_dict()))
print(torch.equal(a(x), b(x)))
for key, value in a.state_dict().items():
    print(key, value.shape, value.requires_grad)
state = {k: v for k, v in a.state_dict().items() if not k.startswith("2")}
print(b.load_state_dict(state, strict=False))
try:
    b.load_state_dict(state)
except RuntimeError as e:
    print(e)
