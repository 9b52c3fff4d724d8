# Python's types as dtypes of to() and of the limits, and memory formats that a tensor has not the dimensions for.
import torch


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


x = torch.tensor([0.0, 1.5, 2.0])
print(x.to("cpu", bool), x.to("cpu", int), x.to(torch.device("cpu"), float, True, True), x.to(bool))
for kind in (float, int, bool, complex, torch.float16, torch.complex64, torch.int8, None, "float32"):
    attempt(lambda: torch.finfo(kind))
    attempt(lambda: torch.iinfo(kind))
print(torch.finfo(float).eps, torch.iinfo(int).max, torch.finfo().dtype)
for shape in ((2, 3), (1, 2, 3, 4), (1, 2, 2, 3, 4)):
    y = torch.ones(shape)
    print([y.is_contiguous(memory_format=f) for f in (torch.channels_last, torch.channels_last_3d)])
attempt(lambda: torch.autograd.functional.jvp(torch.dot, (x, x), (x, x[:2])))
attempt(lambda: torch.autograd.functional.vjp(torch.sin, x, x[:2]))
attempt(lambda: torch.autograd.functional.vjp(lambda t: (t, t * 2), x, (x, x[:1])))
