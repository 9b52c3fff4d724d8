# The products plus a summand in their order of old, with the factors first, as papers' code still calls them
import warnings

import torch

x = torch.arange(6.0).reshape(3, 2).requires_grad_()
centers = torch.arange(4.0).reshape(2, 2).requires_grad_()
distances = (x**2).sum(1, keepdim=True).expand(3, 2) + (centers**2).sum(1).expand(3, 2)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    distances.addmm_(1, -2, x, centers.t())
print(*[str(warning.message).partition(" (Triggered")[0] for warning in told])
distances.clamp(1e-12, 1e12).sum().backward()
print(distances, x.grad, centers.grad)

v = torch.tensor([1.0, 2.0])
b = torch.arange(4.0).reshape(2, 2)
batch = torch.stack([b, b + 1])
print(b.addmm(2, b, b), b.addmm(0.5, 2, b, b), torch.addmm(1, b, -2, b, b), torch.addmm(2, b, b, b))
print(v.addmv(2, b, v), v.addmv(2, 3, b, v), v.clone().addmv_(2, b, v), torch.addmv(2, v, 3, b, v))
print(torch.addmv_(2, v.clone(), 3, b, v), torch.addmv_(v.clone(), b, v))
print(b.addr(2, v, v), b.clone().addr_(2, 3, v, v), torch.addr(2, b, 3, v, v))
print(batch.baddbmm(2, 3, batch, batch), torch.baddbmm(2, batch, batch, batch))
print(b.addbmm(2, batch, batch), torch.addbmm(2, b, 3, batch, batch))
print(b.addmm(2, b, mat2=b), torch.addmm(torch.tensor(2.0), b, b, b), b.addmm(b, b, beta=2, alpha=3))
for arguments in ((2, b), (2, 3, 4, b, b), (b, b, 2), (b, 2)):
    try:
        b.addmm(*arguments)
    except TypeError as error:
        print(type(error).__name__)
