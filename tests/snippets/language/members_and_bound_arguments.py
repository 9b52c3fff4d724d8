# inspect and sys: members of objects, arguments bound to parameters, what the interpreter says of itself
import argparse
import inspect
import sys
import types
import torch
def f(a, b: int = 2, *args, c, d=4, **kw) -> int:
    """Doc."""
sig = inspect.signature(f)
bound = sig.bind(1, 5, 6, c=3, z=7)
print(bound, bound.arguments, bound.args, bound.kwargs)
bound = sig.bind(1, c=3)
bound.apply_defaults()
print(bound.arguments, bound.args, bound.kwargs, sig.bind_partial(b=3).arguments)
print(inspect.getfullargspec(f), inspect.getfullargspec(lambda x, y=1: x))
class Base:
    rate = 0.1
    def step(self): return 1
class Kid(Base):
    def __init__(self): self.w = 3
    def grow(self): return 2
print([name for name, _ in inspect.getmembers(Kid(), inspect.ismethod) if name != "__init__"])
print([(name, value) for name, value in inspect.getmembers(Kid()) if not name.startswith("__") and not callable(value)])
print([name for name, _ in inspect.getmembers(Kid, inspect.isfunction)], inspect.getmro(Kid), inspect.isabstract(Kid))
print([n for n, c in inspect.getmembers(torch.nn, inspect.isclass) if n.startswith("Conv")], inspect.isbuiltin(len), inspect.isbuiltin(f))
print(sys.version_info >= (3, 8), sys.version_info.major, sys.version_info[:2], sys.float_info.max, sys.float_info.dig, sys.implementation.name)
print(sys.getsizeof(1), sys.getsizeof([1, 2]), sys.getsizeof("abc"), sys.getsizeof((1,)), sys.getsizeof(2.0), sys.getsizeof({}), sys.getsizeof(torch.ones(9)))
print(sys.stdout.isatty(), sys.stdout.writelines(["a", "b\n"]), argparse.Namespace(a=1) == argparse.Namespace(a=1), "a" in argparse.Namespace(a=1))
for wrong in (lambda: sig.bind(1), lambda: sig.bind(1, c=2, a=3), lambda: sig.bind(), lambda: inspect.getfullargspec(3), lambda: types.SimpleNamespace(1)):
    try:
        print(wrong())
    except TypeError as e:
        print(e)
