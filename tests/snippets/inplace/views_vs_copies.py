# reshape, view, contiguous, flatten, expand, repeat, and which share memory with gradients through both
import torch
x = torch.arange(6.0).view(2, 3)
ops = {"view": lambda t: t.view(3, 2), "reshape": lambda t: t.reshape(3, 2), "t": lambda t: t.t(), "t.reshape": lambda t: t.t().reshape(-1), "t.contiguous": lambda t: t.t().contiguous(), "contiguous": lambda t: t.contiguous(), "flatten": lambda t: t.flatten(), "t.flatten": lambda t: t.t().flatten(), "expand": lambda t: t[:, :1].expand(2, 3), "repeat": lambda t: t.repeat(1, 2), "slice": lambda t: t[:, 1:], "list": lambda t: t[[0, 1]], "mask": lambda t: t[t > 2], "clone": lambda t: t.clone(), "detach": lambda t: t.detach(), "squeeze": lambda t: t[None].squeeze(0), "unfold": lambda t: t.unfold(1, 2, 1), "diagonal": lambda t: t.diagonal(), "chunk": lambda t: t.chunk(2)[0], "split": lambda t: t.split(1)[1], "select": lambda t: t.select(0, 1), "narrow": lambda t: t.narrow(1, 0, 2), "float": lambda t: t.float(), "double": lambda t: t.double(), "T": lambda t: t.T, "mT": lambda t: t.mT, "permute": lambda t: t.permute(1, 0), "movedim": lambda t: t.movedim(0, 1), "real": lambda t: t.real, "view_as": lambda t: t.view_as(t), "as_strided": lambda t: t.as_strided((2, 2), (1, 2)), "swapaxes": lambda t: t.swapaxes(0, 1), "ravel": lambda t: t.ravel(), "unbind": lambda t: t.unbind(1)[0], "tile": lambda t: t.tile(2), "broadcast": lambda t: t[0].broadcast_to(2, 3), "hsplit": lambda t: torch.hsplit(t, 3)[0], "roll": lambda t: t.roll(1), "flip": lambda t: t.flip(0), "unflatten": lambda t: t.unflatten(1, (3, 1)), "to": lambda t: t.to(torch.float32), "data": lambda t: t.data}
for name, f in ops.items():
    leaf = x.clone().requires_grad_()
    base = leaf * 1
    out = f(base)
    shares = out.untyped_storage().data_ptr() == base.untyped_storage().data_ptr() if hasattr(out, "untyped_storage") else None
    g = None
    if out.requires_grad:
        out.sum().backward()
        g = leaf.grad.int().flatten().tolist()
    print(f"{name:<13}{str(tuple(out.shape)):<11}{str(out.stride()):<11}{str(out.is_contiguous()):<6}shares={shares!s:<6}view={out._is_view()!s:<6}{out.grad_fn.name() if out.grad_fn else None} {g}")
a = torch.zeros(2, 3)
b = a.view(-1)
b[0] = 7
print(a[0, 0], a._version, b._version, b._base is a)
try:
    a.t().view(-1)
except RuntimeError as e:
    print(e)
try:
    a.view(4)
except RuntimeError as e:
    print(e)
try:
    a.view(-1, 4)
except RuntimeError as e:
    print(e)
try:
    a.expand(3, 3)
except RuntimeError as e:
    print(e)
try:
    a[:1].expand(4, 3).add_(1)
except RuntimeError as e:
    print(e)
