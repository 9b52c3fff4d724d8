# Cached properties, merged heaps, templates of text, types made by calls
import functools
import heapq
import string
import typing
from typing import NamedTuple, TypedDict

import torch
from torch import nn


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @functools.cached_property
    def area(self):
        "how large it is"
        print("computed")
        return 3 * self.radius**2


circle = Circle(2)
print(circle.area, circle.area, vars(circle))
del circle.area
circle.radius = 3
print(circle.area)
circle.area = 1
print(circle.area, Circle.area.__doc__, type(Circle.area).__name__)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1, bias=False)
        nn.init.ones_(self.layer.weight)

    @functools.cached_property
    def scale(self):
        return torch.tensor(2.0)

    def forward(self, x):
        return self.layer(x) * self.scale


net = Net()
net(torch.ones(1, 2)).sum().backward()
print(net.layer.weight.grad, net.__dict__["scale"], sorted(net.state_dict()))


class Slots:
    __slots__ = ("a",)

    @functools.cached_property
    def b(self):
        return 1


try:
    Slots().b
except TypeError as error:
    print(error)
print(list(heapq.merge([1, 4, 7], [2, 3], [])), list(heapq.merge([4, 1], [3, 2], reverse=True)))
print(list(heapq.merge(["a", "ccc"], ["bb", "dd"], key=len)))
template = string.Template("$name has ${count} of $$5")
print(template.substitute(name="it", count=3), template.safe_substitute({"name": "that"}), template.template)
for wrong in (
    lambda: template.substitute(name=1),
    lambda: string.Template("a\nb $").substitute(),
    lambda: typing.assert_never(3),
    lambda: NamedTuple("P", [("a", int), ("a", int)]),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
print(string.Template("a $ b").safe_substitute())
Point = NamedTuple("Point", [("x", int), ("y", float)])
print(Point(1, y=2.0), Point._fields, Point.__annotations__)
Movie = TypedDict("Movie", {"name": str, "year": int})
print(Movie(name="m", year=1), Movie.__annotations__)


class Options(TypedDict, total=False):
    lr: float


class More(Options, total=True):
    steps: int


print(Options(lr=0.1), More(lr=1.0, steps=2), Options.__annotations__)


def function(a, b=2, *, c=3, d):
    return a


print(function.__kwdefaults__, (lambda: 0).__kwdefaults__, function.__defaults__)
