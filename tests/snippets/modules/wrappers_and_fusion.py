# DataParallel without devices, folding batch norm, skip_init, choosing the attention kernel, amp decorators
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import Dataset, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler

torch.manual_seed(0)
net = nn.DataParallel(nn.Sequential(nn.Linear(2, 3), nn.Tanh()))
print(net, list(net.state_dict()), net.device_ids, type(net))
net(torch.ones(4, 2)).sum().backward()
print(net.module[0].bias.grad)

conv, bn = nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3)
x = torch.randn(4, 2, 5, 5)
for _ in range(3):
    bn(conv(x))
conv.eval(), bn.eval()
fused = nn.utils.fuse_conv_bn_eval(conv, bn)
print(fused, torch.allclose(fused(x), bn(conv(x)), atol=1e-6), fused.bias.requires_grad)
linear, bn1 = nn.Linear(2, 3).eval(), nn.BatchNorm1d(3).eval()
print(torch.allclose(nn.utils.fuse_linear_bn_eval(linear, bn1)(torch.ones(1, 2)), bn1(linear(torch.ones(1, 2)))))
try:
    nn.utils.fuse_conv_bn_eval(conv.train(), bn)
except AssertionError as e:
    print(e)

torch.manual_seed(1)
before = torch.get_rng_state()
print(nn.utils.skip_init(nn.Linear, 2, 3), torch.equal(before, torch.get_rng_state()))

q = torch.randn(1, 2, 3, 4, requires_grad=True)
flash = F.scaled_dot_product_attention(q, q, q)
with sdpa_kernel(SDPBackend.MATH):
    plain = F.scaled_dot_product_attention(q, q, q)
with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
    both = F.scaled_dot_product_attention(q, q, q)
print(flash.grad_fn, plain.grad_fn, both.grad_fn, torch.allclose(flash, plain, atol=1e-6), SDPBackend.MATH)
try:
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        F.scaled_dot_product_attention(q, q, q)
except RuntimeError as e:
    print(e)
print(F.scaled_dot_product_attention(q, q, q).grad_fn)


class Cube(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


t = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(t)
y.backward()
print(y, t.grad)
rows = TensorDataset(torch.arange(4.0))
print(isinstance(rows, Dataset), [b[0].tolist() for b in DataLoader(rows, sampler=SubsetRandomSampler([1, 3]))])
print(torch.typename(t), torch.clamp_(torch.tensor([3.0]), max=1.0), torch.square_(torch.tensor([3.0])), torch.strided is t.layout, isinstance(t.layout, torch.layout))
print(torch.is_signed(t), torch.is_inference(t), torch.binary_cross_entropy_with_logits(torch.zeros(2), torch.ones(2), None, None, 1))
