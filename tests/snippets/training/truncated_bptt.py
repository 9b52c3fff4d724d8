# Truncated backpropagation through time: detach the hidden state
import torch
import torch.nn as nn

torch.manual_seed(0)
cell, out = nn.RNNCell(1, 6), nn.Linear(6, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.05)
signal = torch.sin(torch.arange(0, 13) * 0.5).unsqueeze(1)
h = torch.zeros(1, 6)
for start in range(0, 12, 4):
    h = h.detach()
    loss = 0
    for t in range(start, start + 4):
        h = cell(signal[t:t + 1], h)
        loss = loss + (out(h) - signal[t + 1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"window {start}-{start + 4}: loss {loss.item():.4f} |h| {h.norm():.4f} grad_fn {h.grad_fn.name()}")
