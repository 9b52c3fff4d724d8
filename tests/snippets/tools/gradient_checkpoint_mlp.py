# Checkpointed blocks give the same gradients and run forward twice
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

calls = {"n": 0}

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        calls["n"] += 1
        return torch.relu(self.fc(x)) + x

torch.manual_seed(1)
blocks = nn.ModuleList(Block(4) for _ in range(3))
x = torch.randn(2, 4, requires_grad=True)

def run(use):
    h = x
    for b in blocks:
        h = checkpoint(b, h, use_reentrant=False) if use else b(h)
    return h.pow(2).mean()

for use in (False, True):
    calls["n"] = 0
    blocks.zero_grad()
    x.grad = None
    loss = run(use)
    n_fwd = calls["n"]
    loss.backward()
    print(use, n_fwd, calls["n"], round(loss.item(), 6))
    print(blocks[0].fc.weight.grad.sum(), x.grad.norm())

seq = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(4)])
out = checkpoint_sequential(seq, 2, x, use_reentrant=False)
print(out.grad_fn)
out.sum().backward()
print(seq[0][0].bias.grad)
