# An LSTM cell from equations against nn.LSTMCell with the same weights, peephole variant, gate gradients
import torch
import torch.nn as nn
torch.manual_seed(0)
I, H = 3, 2
cell = nn.LSTMCell(I, H)
x, h, c = torch.randn(2, I), torch.randn(2, H, requires_grad=True), torch.randn(2, H, requires_grad=True)

def lstm(x, h, c, W, U, b, d):
    gates = x @ W.t() + b + h @ U.t() + d
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o, g = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o), torch.tanh(g)
    c2 = f * c + i * g
    return o * torch.tanh(c2), c2, dict(i=i, f=f, g=g, o=o)

h1, c1 = cell(x, (h, c))
h2, c2, gates = lstm(x, h, c, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
print(torch.allclose(h1, h2, atol=1e-6), torch.allclose(c1, c2, atol=1e-6), h1.grad_fn, h2.grad_fn)
ga = torch.autograd.grad(h1.sum() + c1.pow(2).sum(), [h, c, *cell.parameters()], retain_graph=True)
gb = torch.autograd.grad(h2.sum() + c2.pow(2).sum(), [h, c, *cell.parameters()], retain_graph=True)
print([torch.allclose(a, b, atol=1e-5) for a, b in zip(ga, gb)], [tuple(a.shape) for a in ga])
for v in gates.values():
    v.retain_grad()
h2.sum().backward()
for k, v in gates.items():
    print(k, v.detach().mean().item(), v.grad)
gru = nn.GRUCell(I, H)
out = gru(x, h)
r, z, n = (x @ gru.weight_ih.t() + gru.bias_ih).chunk(3, 1)
r2, z2, n2 = (h @ gru.weight_hh.t() + gru.bias_hh).chunk(3, 1)
r, z = torch.sigmoid(r + r2), torch.sigmoid(z + z2)
n = torch.tanh(n + r * n2)
print(torch.allclose(out, (1 - z) * n + z * h, atol=1e-6), out.grad_fn)
seq = torch.randn(5, 2, I)
lstm_mod = nn.LSTM(I, H)
o, (hn, cn) = lstm_mod(seq)
print(o.shape, torch.equal(o[-1], hn[0]), lstm_mod.all_weights[0][0].shape, o.grad_fn)
hh, cc = torch.zeros(2, H), torch.zeros(2, H)
outs = []
for t in range(5):
    hh, cc, _ = lstm(seq[t], hh, cc, *lstm_mod.all_weights[0])
    outs.append(hh)
print(torch.allclose(torch.stack(outs), o, atol=1e-6))
try:
    cell(torch.randn(2, 5), (h, c))
except RuntimeError as e:
    print(e)
