# A neural ODE with Euler steps: gradients through the solver
import torch
import torch.nn as nn

torch.manual_seed(0)
f = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
t = torch.linspace(0, 1, 6)
target = torch.stack([torch.cos(t), -torch.sin(t)], dim=1)
opt = torch.optim.Adam(f.parameters(), lr=0.03)

def solve(y0):
    ys = [y0]
    for a, b in zip(t[:-1], t[1:]):
        ys.append(ys[-1] + (b - a) * f(ys[-1]))
    return torch.stack(ys)

for step in range(5):
    path = solve(target[0])
    loss = (path - target).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{step} {loss.item():.5f}")
print(path[-1])
