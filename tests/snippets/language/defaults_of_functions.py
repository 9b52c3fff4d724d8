# `__defaults__` and `__kwdefaults__` of functions, and those that old code gives to a named tuple.
from collections import namedtuple
from typing import NamedTuple


def scaled(x, by=2, *, plus=3, minus=None):
    return x, by, plus, minus


print(scaled.__defaults__, scaled.__kwdefaults__)
scaled.__defaults__ = (7, 8)
print(scaled(), scaled(1), scaled(1, 2))
scaled.__defaults__ = None
scaled.__kwdefaults__ = {"plus": 5, "minus": 6}
print(scaled(1, 2), scaled.__defaults__, scaled.__kwdefaults__)


def tried(what):
    try:
        print(what())
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)


tried(lambda: scaled(1))
tried(lambda: setattr(scaled, "__defaults__", [1]))
tried(lambda: setattr(scaled, "__kwdefaults__", 1))

Block = namedtuple("Block", ["repeats", "kernel", "stride"])
tried(lambda: Block(1))
tried(lambda: Block())
tried(lambda: Block(1, 2, 3, 4))
Block.__new__.__defaults__ = (None,) * len(Block._fields)
print(Block(), Block(1), Block(kernel=3), Block.__new__.__defaults__, Block._field_defaults)
Block.__new__.__defaults__ = (9,)
print(Block(1, 2), Block._make([1, 2, 3]), Block(1, 2)._replace(stride=4))
tried(lambda: Block(1))
tried(lambda: Block(1, 2, 3, 4))
tried(lambda: Block(1, repeats=2))
tried(lambda: setattr(Block.__new__, "__defaults__", 3))
print(Block.__new__.__qualname__, Block(1, 2).__new__ is Block.__new__, Block.__new__(Block, 4, 5))


class Wide(Block):
    def __new__(cls, repeats):
        return super().__new__(cls, repeats, 1, 2)


class Point(NamedTuple):
    x: int
    y: int = 3

    def total(self):
        return self.x + self.y


print(Wide(3), Wide.__new__.__defaults__, Point(1).total(), Point.__new__.__defaults__, Point.total.__defaults__)
