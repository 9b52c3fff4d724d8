# Kernels without whole numbers, negative extents, running extremes of truth values, and patches in memory of their own
import torch
import torch.nn.functional as F


def tried(f):
    try:
        print(f())
    except (RuntimeError, NotImplementedError) as e:
        print(e)


for dtype in (torch.int64, torch.uint8, torch.bool, torch.complex64):
    tried(lambda: F.fold(torch.ones(1, 4, 1).to(dtype), (2, 2), 2))
    tried(lambda: F.unfold(torch.ones(1, 1, 2, 2).to(dtype), 2))
for triangle in (torch.tril_indices, torch.triu_indices):
    tried(lambda: triangle(-1, 2))
    tried(lambda: triangle(1, -2))
    tried(lambda: triangle(2, 2, dtype=torch.int32))
    tried(lambda: triangle(2, 2, dtype=torch.float32))
truths = torch.tensor([[True, False, True], [False, True, True]])
for running in (torch.cummax, torch.cummin):
    print(running(truths, 1), running(truths[:0], 0), running(torch.tensor(True), 0))
x = torch.ones(2, 2, 2)
patches = F.unfold(x, (1, 2))
print(patches.stride(), patches.is_contiguous(), patches.add_(1), x)
channels = torch.arange(4.0).reshape(1, 2, 1, 2).requires_grad_()
tried(lambda: torch.nn.CrossMapLRN2d(1)(channels).sum().backward())
torch.nn.CrossMapLRN2d(3)(channels).sum().backward()
print(channels.grad)
