# The receptive field of a convolution stack measured by gradients, dilation and stride, with output sizes
import torch
import torch.nn as nn
torch.manual_seed(0)
def field(net, n=15):
    x = torch.ones(1, 1, n, requires_grad=True)
    y = net(x)
    y[0, 0, y.shape[-1] // 2].backward()
    nz = x.grad[0, 0].nonzero().flatten()
    return len(nz), nz.tolist(), tuple(y.shape)
def conv(**k):
    c = nn.Conv1d(1, 1, 3, bias=False, **k)
    nn.init.ones_(c.weight)
    return c
for name, net in {"one": conv(), "two": nn.Sequential(conv(), conv()), "dilated": nn.Sequential(conv(), conv(dilation=2), conv(dilation=4)), "strided": nn.Sequential(conv(stride=2), conv()), "padded": nn.Sequential(conv(padding=1), conv(padding="same")), "pool": nn.Sequential(conv(), nn.AvgPool1d(2), conv()), "maxpool": nn.Sequential(nn.MaxPool1d(3, stride=1), conv()), "transposed": nn.ConvTranspose1d(1, 1, 3, stride=2, bias=False), "circular": conv(padding=1, padding_mode="circular")}.items():
    if name == "transposed":
        nn.init.ones_(net.weight)
    print(f"{name:<11}", *field(net))
c2 = nn.Conv2d(2, 4, (3, 5), stride=(1, 2), padding=(1, 2), groups=2)
print(c2, c2(torch.zeros(1, 2, 6, 7)).shape, c2.weight.shape)
x = torch.arange(16.).view(1, 1, 4, 4).requires_grad_()
u = nn.functional.unfold(x, 3)
print(u.shape, nn.functional.fold(torch.ones_like(u), (4, 4), 3)[0, 0])
u.sum().backward()
print(x.grad[0, 0])
w = torch.ones(1, 1, 3, 3, requires_grad=True)
out = nn.functional.conv2d(x.detach(), w)
out.backward(torch.tensor([[[[1., 0.], [0., 0.]]]]))
print(w.grad[0, 0], out.grad_fn)
