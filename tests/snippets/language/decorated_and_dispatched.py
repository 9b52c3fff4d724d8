# What decorators keep of a function: names, annotations, attributes, caches, and who answers for a type
from __future__ import annotations

import functools
from functools import lru_cache, singledispatch, singledispatchmethod, wraps
from typing import get_type_hints

import torch


def logged(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        """Replaced."""
        return function(*args, **kwargs)

    return wrapper


def double(x: int, y: list[int] | None = None) -> str:
    """Twice."""
    return str(2 * x)


double.tag = "kept"
wrapped = logged(double)
print(wrapped.__name__, wrapped.__doc__, wrapped.__annotations__, wrapped.tag, wrapped(2), wrapped.__wrapped__ is double)
print(get_type_hints(double)["x"], get_type_hints(wrapped)["return"], wrapped.__module__)


@lru_cache
def square(x):
    """Squares."""
    return x * x


print(square(2), square(2), square.cache_info(), square.__wrapped__(3), square.cache_parameters())
print(square.__name__, square.__doc__)


@lru_cache(maxsize=2, typed=True)
def kind(x):
    return type(x).__name__


print(kind(1), kind(1.0), kind(True), kind.cache_info(), kind.cache_parameters())
for wrong in (lambda: square([]), lambda: lru_cache("a")):
    try:
        wrong()
    except TypeError as error:
        print(error)


@singledispatch
def show(x):
    return "object"


@show.register
def _(x: int):
    return "int"


@show.register
def _(x: torch.Tensor) -> str:
    return "tensor"


@show.register
def _(x: list | tuple):
    return "sequence"


@show.register(str)
@show.register(bytes)
def _text(x):
    return "text"


print(show(1), show(torch.ones(1)), show([]), show(()), show("s"), show(b"s"), show(1.5), show(True))


class Printer:
    @singledispatchmethod
    def show(self, x):
        return "object"

    @show.register
    def _(self, x: float):
        return f"float {x}"

    @show.register(list)
    def _list(self, x):
        return "list of " + ", ".join(self.show(item) for item in x)

    @property
    def size(self):
        return 3


printer = Printer()
print(printer.show(1.5), printer.show(1), printer.show([1.0, 2]))
print(Printer.size.fget(printer), Printer.size.fset, str.upper, len)


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        print(kind.__name__, value, trace.tb_lineno, trace.tb_next is None)
        return kind is KeyError


def fail(error):
    raise error


with Guard():
    raise KeyError("k")
try:
    with Guard():
        fail(ValueError("v"))
except ValueError as error:
    print(error, functools.reduce(lambda a, b: a + b, [1, 2]))
