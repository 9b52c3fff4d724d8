# torch.func: forward mode of functions that return integers, and reverse mode of those
import torch
import torch.nn.functional as F
from torch.func import grad, jacfwd, jacrev, jvp, vjp

x = torch.tensor([3.0, 1.0, 2.0])
t = torch.ones(3)


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


functions = {
    "logcumsumexp": lambda x: x.logcumsumexp(0),
    "topk": lambda x: x.topk(2),
    "max": lambda x: x.max(0),
    "min": lambda x: x.min(0),
    "sort": lambda x: x.sort(),
    "median": lambda x: x.median(0),
    "nanmedian": lambda x: x.nanmedian(0),
    "mode": lambda x: x.mode(0),
    "cummax": lambda x: x.cummax(0),
    "cummin": lambda x: x.cummin(0),
    "kthvalue": lambda x: x.kthvalue(2),
    "argmax": lambda x: x.argmax(),
    "argsort": lambda x: x.argsort(),
    "comparison": lambda x: x > 2,
    "long": lambda x: (x * 2, x.long()),
    "frexp": torch.frexp,
    "hardswish": F.hardswish,
    "detach": lambda x: x.detach(),
}
for name, function in functions.items():
    print(name)
    shown(lambda: jvp(function, (x,), (t,)))
    shown(lambda: vjp(function, x)[0])
    shown(lambda: jacrev(function)(x))
    shown(lambda: jacfwd(function)(x))
shown(lambda: grad(lambda x: x.argmax())(x))
shown(lambda: jvp(lambda x: 3, (x,), (t,)))
