# What inspect says of functions, layers and optimizers: signatures, kinds and documentation.
import functools, inspect, torch, torch.nn as nn, torch.nn.functional as F
from dataclasses import dataclass, field
def f(a, b: int, /, c=1, *rest, d: float = 2.0, e, **kw) -> str:
    "What f does.\n\n      More of it.\n    "
s = inspect.signature(f)
print(s, repr(s), list(s.parameters), s.return_annotation)
for p in s.parameters.values():
    print(p.name, p.kind, repr(p.kind), p.default is inspect.Parameter.empty, p.annotation is p.empty, str(p), repr(p), p.kind == p.KEYWORD_ONLY, p.kind.description)
print('fused' in inspect.signature(torch.optim.AdamW).parameters)
print(list(inspect.signature(torch.optim.SGD).parameters)[:5], inspect.signature(torch.optim.SGD).parameters['lr'].default)
class Net(nn.Module):
    "A net."
    def __init__(self, hidden, act=None):
        super().__init__()
    def forward(self, x, mask=None): return x
    @staticmethod
    def st(q): pass
    @classmethod
    def cl(cls, r=3): pass
n = Net(3)
print(inspect.signature(Net), inspect.signature(n.forward), inspect.signature(Net.forward), inspect.signature(Net.st), inspect.signature(n.cl), inspect.signature(n))
class A: pass
class B(A):
    def __call__(self, z): pass
print(inspect.signature(A), inspect.signature(B()), inspect.signature(lambda u, v=2: u))
print(list(inspect.signature(F.cross_entropy).parameters), list(inspect.signature(torch.autograd.grad).parameters)[:3], list(inspect.signature(nn.Linear).parameters))
for bad in (3, torch.add, torch.relu, F.linear, int, dict, torch.Tensor, torch.ones(1).sum):
    try: print(inspect.signature(bad))
    except (TypeError, ValueError) as e: print(type(e).__name__, str(e)[:40])
print(inspect.isfunction(f), inspect.isfunction(n.forward), inspect.ismethod(n.forward), inspect.isclass(Net), inspect.isclass(n), inspect.isclass(int), inspect.ismodule(torch), inspect.ismodule(nn), inspect.isfunction(torch.add), inspect.isfunction(F.cross_entropy), inspect.isgenerator(x for x in []), inspect.isroutine(len), inspect.isclass(nn.Linear))
print(repr(inspect.getdoc(f)), inspect.getdoc(Net), inspect.cleandoc("  a\n    b\n"))
kw = {"lr": 0.1, "bogus": 3, "betas": (0.9, 0.99)}
known = inspect.signature(torch.optim.Adam).parameters
print({k: v for k, v in kw.items() if k in known})
print({k: p.default for k, p in inspect.signature(f).parameters.items() if p.default is not inspect._empty})
print(inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, default=2), inspect.Signature([inspect.Parameter("x", inspect.Parameter.POSITIONAL_OR_KEYWORD)]), inspect.Parameter.empty)


def g(x: torch.Tensor, s: list[int] = [1], t: "int" = 2, m: nn.Module = None, *, u: type(None) = None) -> torch.Tensor: pass


@dataclass
class Config:
    width: int
    rate: float = 2.5
    parts: list = field(default_factory=list)
    made: str = field(default="q", init=False)


print(inspect.signature(g), inspect.signature(Config))
given = {"width": 1, "unknown": 2}
print(Config(**{k: v for k, v in given.items() if k in inspect.signature(Config).parameters}))
for wrong in (lambda: inspect.Parameter(3, 1), lambda: inspect.Parameter("x", 7), lambda: setattr(s, "parameters", {})):
    try:
        print(wrong())
    except (TypeError, ValueError, AttributeError) as error:
        print(type(error).__name__, error)


def wrapping(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        return function(*args, **kwargs)

    return run


@wrapping
def wrapped(a, b=2):
    "What wrapped does."


@dataclass
class Odd:
    self: int
    late: int = field(default=3, kw_only=True)


def typed(p: nn.Parameter, s: "typing.List" = 1, r: range = None) -> nn.Linear: pass


print(inspect.signature(wrapped), inspect.getdoc(wrapped), inspect.signature(Odd), Odd(1), inspect.signature(typed))
