"""Arguments without elements or of too few dimensions, and writes whose shapes and dtypes both do not fit."""

import torch
import torch.nn.functional as F


def attempt(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


empty = torch.zeros(0, 3, requires_grad=True)
v = torch.ones(3, requires_grad=True)
k = torch.tensor([1, 0])
c = torch.arange(6.0).reshape(2, 3)
m = torch.eye(3)

for loss in (F.mse_loss, F.smooth_l1_loss, F.huber_loss):
    attempt(lambda: torch.autograd.grad(loss(empty, empty.detach() + v), v))
for log_probs in (c[0], c[0, 0], c[None, None]):
    attempt(lambda: F.ctc_loss(log_probs, k, k, k))
attempt(lambda: m.as_strided((2, -1), (1, 3)))
attempt(lambda: F.batch_norm(v, None, None, training=True))
attempt(lambda: F.rms_norm(torch.tensor(1.0), (3,)))
attempt(lambda: F.rms_norm(v, ()))
attempt(lambda: (c > 0).median(2))
attempt(lambda: (c > 0).nanmedian(2))
attempt(lambda: torch.linalg.cross(k, c))
attempt(lambda: torch.cross(c, c.double(), 1))
attempt(lambda: torch.eye(4, -1))
attempt(lambda: c.nanmean(dtype=torch.int64))


def write(target, value):
    target[k] = value
    return target


attempt(lambda: write(c[0] > 0, c[0]))
attempt(lambda: write(c.clone(), torch.ones(4, dtype=torch.float64)))
attempt(lambda: write(c.clone(), torch.ones(3, dtype=torch.float64)))
attempt(lambda: write(c.clone(), torch.ones(4)))
