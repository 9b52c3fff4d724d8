"""How results of transposed tensors lie in memory: indexing, norms, transforms, writes; a recurrent layer copies."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
z = torch.randn(2, 3, 4).permute(0, 2, 1)
u = torch.randn(4, 3, 2, 5).permute(2, 0, 3, 1)
c = torch.rand(3, 2).t()
k = torch.tensor([1, 0])
kk = torch.tensor([[1, 0], [0, 1]])

for index in (k, kk, [0, 1], True, (slice(None), k), (slice(None), slice(None), k), (k, k), (None, k), z > 0):
    print(z[index].shape, z[index].stride())
for index in (k, kk, (slice(None), k), (..., k), (k, k), (slice(None), k, k), (k, slice(None), k)):
    print(u[index].shape, u[index].stride())
for index in (k, (slice(None), k), (0, k), torch.tensor([True, False])):
    print(c[index].shape, c[index].stride())

for made in (
    F.batch_norm(c, None, None, training=True),
    F.batch_norm(z, torch.zeros(4), torch.ones(4)),
    F.batch_norm(u.contiguous(memory_format=torch.channels_last), None, None, training=True),
    F.rms_norm(z, (3,)),
    torch.fft.irfft(c),
    (z.abs() + 5).mvlgamma(2),
    z.put(k, torch.ones(2)),
    z.index_fill(1, k, 0.0),
    z.masked_scatter(z > 0, torch.ones(24)),
):
    print(made.shape, made.stride())

rows = z[k]
try:
    rows.view(-1)
except RuntimeError as error:
    print(error)

x = torch.randn(2, 4, 5, requires_grad=True)
out, _ = nn.LSTM(5, 2, batch_first=True)(x)
node = out.grad_fn
while node.next_functions:
    print(type(node).__name__)
    node = node.next_functions[0][0]

w = torch.zeros(2, requires_grad=True)
for betas in ((0.9, 0.999), (0, 0.9), (0.0, 0.9)):
    try:
        print(torch.optim.Adam([w], betas=betas).param_groups[0]["betas"])
    except ValueError as error:
        print(error)
