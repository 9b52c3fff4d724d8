# Functions of two tensors
import torch

a = torch.tensor([1.5, -2.0, 0.5], requires_grad=True)
b = torch.tensor([0.5, 3.0, 0.5], requires_grad=True)
for name in "add sub mul div pow atan2 maximum minimum fmod remainder hypot logaddexp dist dot".split():
    a.grad = b.grad = None
    x = a.abs() + 0.1 if name == "pow" else a
    y = getattr(torch, name)(x, b)
    y.sum().backward()
    print(f"{name:10} {y.grad_fn.name():18} {a.grad.tolist()} {b.grad.tolist()}")
print(torch.addcmul(a, a, b, value=0.5), torch.addcdiv(a, a, b), torch.lerp(a, b, 0.25), torch.cross(a, b, dim=0), sep="\n")
print(torch.cosine_similarity(a, b, dim=0), torch.heaviside(a, b).detach(), torch.copysign(a, -b), torch.ldexp(a, torch.tensor(2)))
