# Timers, memoised losses, registries, partials, class decorators around training code
import functools
import operator
import time
from functools import lru_cache, partial, reduce, wraps
from typing import Callable, Dict, Iterable, Optional, Tuple, Union
import torch
import torch.nn as nn

REGISTRY: Dict[str, Callable] = {}

def register(name=None):
    def deco(fn):
        REGISTRY[name or fn.__name__] = fn
        return fn
    return deco

def timed(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        t0 = time.perf_counter()
        result = fn(*args, **kwargs)
        inner.calls += 1
        inner.elapsed = time.perf_counter() - t0
        return result
    inner.calls = 0
    return inner

@register("sq")
@timed
def squared(x: torch.Tensor) -> torch.Tensor:
    """Sum of squares."""
    return (x ** 2).sum()

@register()
def absolute(x):
    return x.abs().sum()

@lru_cache(maxsize=None)
def factorial(n):
    return n * factorial(n - 1) if n else 1

def counter():
    n = 0
    def inc(step=1):
        nonlocal n
        n += step
        return n
    return inc

def compose(*fns):
    return reduce(lambda f, g: lambda x: g(f(x)), fns)

x = torch.tensor([1.0, -2.0], requires_grad=True)
for name, fn in sorted(REGISTRY.items()):
    x.grad = None
    fn(x).backward()
    print(name, fn.__name__, fn.__doc__, x.grad)
print(squared.calls, squared.elapsed >= 0, factorial(10), factorial.cache_info())
c = counter()
print(c(), c(5), c())
f = compose(torch.sin, torch.exp, partial(torch.mul, 2.0), operator.neg)
y = f(x)
print(y, y.grad_fn)
y.sum().backward()
print(x.grad)
powers = [partial(pow, exp=e) for e in range(3)]
print([p(2) for p in powers], list(map(operator.itemgetter(1), {"a": 1}.items())), operator.attrgetter("shape")(x))
acts = {k: getattr(nn, k)() for k in ("ReLU", "Tanh", "Sigmoid", "ELU")}
print({k: round(m(x.detach()).sum().item(), 4) for k, m in acts.items()})
late = [lambda: i for i in range(3)]
bound = [lambda i=i: i for i in range(3)]
print([g() for g in late], [g() for g in bound])

torch.manual_seed(0)
def frozen(cls):
    orig = cls.__init__
    @functools.wraps(orig)
    def init(self, *a, **k):
        orig(self, *a, **k)
        for p in self.parameters():
            p.requires_grad_(False)
    cls.__init__ = init
    return cls

@frozen
class Frozen(nn.Linear):
    pass

fl = Frozen(2, 1)
print(fl, [p.requires_grad for p in fl.parameters()], fl(x).requires_grad)
