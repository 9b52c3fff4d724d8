# Words for shapes and types that losses, layers and products refuse; strides of turns and transforms
import torch
import torch.nn.functional as F


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: F.linear(torch.ones(2, 3), torch.ones(2, 4, dtype=torch.double)))
attempt(lambda: torch.addmm(torch.ones(2), torch.ones(2, 3, dtype=torch.double), torch.ones(4, 2)))
attempt(lambda: torch.heaviside(torch.ones(2, 3), 2))
attempt(lambda: F.lp_pool1d(torch.ones(1, 1, 4, dtype=torch.complex64), 2, 2))
attempt(lambda: F.embedding(torch.tensor(1), torch.tensor(1.0)))
attempt(lambda: F.cosine_embedding_loss(torch.ones(3, 3), torch.ones(3, 3), torch.tensor(3)))
attempt(lambda: F.cosine_embedding_loss(torch.ones(3), torch.ones(3), torch.ones(3)))
attempt(lambda: F.cosine_embedding_loss(torch.ones(3, 3), torch.ones(3, 3), torch.ones(3, 3)))
attempt(lambda: F.multi_margin_loss(torch.ones(3, 4), torch.tensor([0, 1])))
attempt(lambda: F.instance_norm(torch.ones(1)))
for k in (1, 2, 3, -1):
    turned = torch.arange(6.0).reshape(2, 3).rot90(k)
    print(turned, turned.stride())
x = torch.arange(24.0).reshape(2, 3, 4)
for dims in ((0,), (1,), (2,), (0, 1), (0, 2)):
    print(torch.fft.fftn(x, dim=dims).stride(), torch.fft.fftn(x.transpose(0, 1), dim=dims).stride())
    print(torch.fft.fftn(x.to(torch.complex64), dim=dims).stride(), torch.fft.rfftn(x, dim=dims).stride())
