# torch.save and torch.load: state dicts, checkpoints, buffers, and what weights_only refuses
import io
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3, bias=False), nn.BatchNorm1d(3), nn.Linear(3, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
net(torch.randn(4, 2)).pow(2).mean().backward()
opt.step()
path = os.path.join(tempfile.gettempdir(), "checkpoint.tar")
torch.save({"epoch": 3, "model": net.state_dict(), "optim": opt.state_dict(), "loss": 0.5}, path)
print(os.path.exists(path), os.path.basename(path))

again = nn.Sequential(nn.Linear(2, 3, bias=False), nn.BatchNorm1d(3), nn.Linear(3, 1))
opt2 = torch.optim.Adam(again.parameters())
checkpoint = torch.load(path, weights_only=True, map_location=torch.device("cpu"))
print(list(checkpoint), checkpoint["epoch"], checkpoint["optim"]["param_groups"][0]["lr"])
print(again.load_state_dict(checkpoint["model"]))
opt2.load_state_dict(checkpoint["optim"])
x = torch.randn(4, 2)
for model, optimizer in ((net, opt), (again, opt2)):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
print(all(torch.equal(a, b) for a, b in zip(net.parameters(), again.parameters())))
os.remove(path)
print(os.path.exists(path))

w = torch.ones(2, requires_grad=True)
y = w * 2
y.sum().backward()
buffer = io.BytesIO()
torch.save([w, y, w, nn.Parameter(torch.zeros(1))], buffer)
buffer.seek(0)
a, b, c, p = torch.load(buffer)
print(a, a.grad, b, b.grad_fn, b.is_leaf, c is a, p)
with torch.no_grad():
    a.add_(1)
print(w, a)

buffer = io.BytesIO()
torch.save(net, buffer)
try:
    buffer.seek(0)
    torch.load(buffer)
except Exception as e:
    print(type(e).__name__, str(e)[:31], "Linear" in str(e) or "Sequential" in str(e))
buffer.seek(0)
whole = torch.load(buffer, weights_only=False)
print(whole, whole[0].weight.grad is None, torch.equal(whole[0].weight, net[0].weight))
try:
    torch.load("missing.pt")
except FileNotFoundError as e:
    print(e)
