"""Calls with several things wrong, or with nothing in them: what PyTorch checks first is what it says."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def says(call):
    try:
        result = call()
        print(type(result).__name__, result.stride() if isinstance(result, torch.Tensor) else "")
    except Exception as error:
        print(type(error).__name__, str(error)[:160])


torch.manual_seed(0)
s, v = torch.tensor(0.5), torch.arange(3.0)
a = torch.arange(6.0).reshape(2, 3)
whole = torch.arange(6).reshape(2, 3)
mask = torch.tensor([True] * 3)
steps = torch.ones(4, 2, 3).log_softmax(-1)
labels = torch.tensor([[1, 2], [1, 1]])

says(lambda: s.unbind(3))
says(lambda: mask.histc(3))
says(lambda: torch.cross(mask[0], mask[0], -2))
says(lambda: torch.ones(3).resize_((-1,)))
says(lambda: a.new_zeros(-1))
says(lambda: torch.stack([v, a], 3))
says(lambda: torch.take_along_dim(a, torch.tensor([[3, 1, 2]]), 0))
says(lambda: torch.linalg.multi_dot([a.double(), a, a]))
says(lambda: torch.linalg.multi_dot([a, a, a.double()]))
says(lambda: mask.expand(()))
says(lambda: torch.zeros(3).nonzero())
says(lambda: F.pad(a, (-1, -1)))
says(lambda: torch.fft.fftn(s, dim=(1,)))
for layer in (nn.LSTM(3, 2), nn.GRU(3, 2), nn.RNN(3, 2)):
    says(lambda: layer(torch.empty(0, 2, 3)))
    says(lambda: layer(torch.empty(2, 0, 3)))
for lengths in ([2, 3], [-1, 1], [2], torch.tensor([2, 1]), 2):
    says(lambda: F.ctc_loss(steps, labels, [4, 4], lengths))
says(lambda: F.ctc_loss(steps, labels[:1], [4, 4], [2, 1]))
says(lambda: F.ctc_loss(steps, torch.tensor([1, 2, 1, 1]), [4, 4], [2, 1]))
says(lambda: F.ctc_loss(steps, labels[None], [4, 4], [2, 1]))
says(lambda: F.ctc_loss(whole, whole, [2, 2], [1, 1]))
says(lambda: F.multilabel_margin_loss(a, whole))
says(lambda: F.multilabel_margin_loss(mask, mask))

image = torch.ones(1, 2, 6, 4, requires_grad=True)
says(lambda: F.adaptive_avg_pool2d(image, (0, 5)).sum().backward())
says(lambda: F.adaptive_max_pool1d(image[0], 0).sum().backward())
says(lambda: F.conv2d(image, torch.ones(3, 2, 3, 0)))
says(lambda: F.conv1d(image[0].double(), torch.ones(3, 6, 0).double()))
says(lambda: F.conv3d(image, torch.ones(3, 1, 1, 1, 0)))
says(lambda: F.conv_transpose1d(torch.ones(2, 4, 5), torch.ones(4, 2, 0), stride=2))

for lazy in (zip, enumerate, iter, lambda x: map(abs, x), lambda x: filter(None, x), reversed):
    says(lambda: lazy(s))
