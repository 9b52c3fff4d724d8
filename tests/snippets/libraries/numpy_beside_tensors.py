# numpy's numbers and functions beside tensors: what is an array, what becomes of numbers, who computes what
import numpy as np
import torch

t, u = torch.tensor([1.5, -2.0, 3.0]), torch.tensor([1, 2, 3])
a, i = np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3])


def tried(what, run):
    try:
        r = run()
        print(what, type(r).__name__, r)
    except (TypeError, ValueError, RuntimeError, AttributeError, NotImplementedError) as e:
        print(what, "!", str(e)[:120])


print(isinstance(np.float64(1), np.ndarray), isinstance(a[0], (np.ndarray, list)), isinstance(a, np.ndarray))
print(isinstance(np.int64(1), np.ndarray | list), issubclass(np.float64, np.ndarray), isinstance(np.array(1.0), np.ndarray))
for name in "add hypot power divmod matmul less logical_and arctan2 floor_divide bitwise_or".split():
    for x, y in ((u, i), (i, u), (2, u), (u, np.int64(2)), (np.float32(2), t)):
        tried(name, lambda: getattr(np, name)(x, y))
for name in "shape size ndim nonzero flip squeeze real imag isreal".split():
    tried(name, lambda: getattr(np, name)(t))
for name in "std var any all mean max".split():
    tried(name, lambda: getattr(np, name)(t))
    tried(name, lambda: getattr(np, name)(t, axis=0, keepdims=True))
tried("with a gradient", lambda: np.shape(torch.ones(2, 3, requires_grad=True)))
for s in (np.bool_(True), np.complex64(1 + 2j), np.float16(1.5)):
    tried("sum", lambda: u + s)
    tried("difference", lambda: s - t)
    tried("or", lambda: u | s)
    tried("in", lambda: 1 in s)
    tried("iter", lambda: iter(s))
    tried("spread", lambda: print(*s))
    tried("reversed", lambda: reversed(s))
    tried("dot", lambda: s.dot(i))
tried("parameter", lambda: torch.nn.Parameter(a))
tried("clamp", lambda: torch.clamp(t, max=a))
tried("clamp", lambda: t.clamp_(np.float32(-1), np.float64(2)))
b, c = np.float64(1)
