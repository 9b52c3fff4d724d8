# Monte Carlo dropout, eval and train modes, seeds, functional dropout and its gradient mask
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Dropout(p=0.5), nn.Linear(6, 1))
x = torch.ones(1, 3)
net.eval()
print([net(x).item() == net(x).item() for _ in range(2)])
net.train()
preds = torch.stack([net(x) for _ in range(8)]).squeeze()
print(preds, preds.mean(), preds.std())
for m in net.modules():
    if isinstance(m, nn.Dropout):
        m.eval()
print(net.training, net[2].training, net(x))
v = torch.ones(8, requires_grad=True)
torch.manual_seed(1)
d = F.dropout(v, 0.25)
d.sum().backward()
print(d, v.grad, torch.equal(d, v.grad), d.grad_fn)
torch.manual_seed(1)
print(torch.equal(F.dropout(v, 0.25), d), F.dropout(v, 0.25, training=False) is v)
print(F.dropout(v, 1.0), F.dropout(v, 0.0))
try:
    nn.Dropout(1.5)
except ValueError as e:
    print(e)
two = F.dropout2d(torch.ones(1, 4, 2, 2), 0.5)
print(two[0, :, 0, 0], nn.AlphaDropout(0.2)(torch.ones(4)))
with torch.random.fork_rng():
    torch.manual_seed(5)
    a = torch.rand(2)
b = torch.rand(2)
state = torch.get_rng_state()
c = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(torch.rand(2), c), torch.initial_seed(), state.dtype)
keep = torch.rand(2, 3) > 0.3
w = torch.randn(2, 3, requires_grad=True)
(w * keep / 0.7).sum().backward()
print(keep, w.grad)
