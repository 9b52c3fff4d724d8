# Abstract classes: what they derive from, what they lack, and what stands beside them
from abc import ABC, ABCMeta, abstractmethod

from torch import nn


class Shape(ABC):
    @property
    @abstractmethod
    def area(self):
        """How large it is."""

    @abstractmethod
    def scale(self, by):
        print("scaling by", by)


class Square(Shape):
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side**2

    def scale(self, by):
        super().scale(by)
        self.side *= by
        return self


class Half(Shape):
    area = 1


class ByMeta(metaclass=ABCMeta):
    @abstractmethod
    def run(self): ...


class Named:
    def name(self):
        return type(self).__name__


class Layer(nn.Module, ABC):
    @abstractmethod
    def forward(self, x): ...


class First(ABC, nn.Module):
    def forward(self, x):
        return x


class Both(Named, Layer):
    def forward(self, x):
        return x


class Items(list, ABC):
    @abstractmethod
    def first(self): ...


class More(Named, ABC):
    pass


class All(More, Square):
    pass


for make in (Shape, Half, ByMeta, Layer, Items, lambda: Square(2).scale(3).area, lambda: Both().name(), lambda: All(2).area):
    try:
        print(make())
    except TypeError as error:
        print(error)
print(Shape.__bases__, Square.__mro__, Both.__mro__[1:3], All.__mro__)
print(sorted(Shape.__abstractmethods__), Square.__abstractmethods__, sorted(Half.__abstractmethods__))
print(isinstance(Square(1), ABC), issubclass(ABC, Shape), isinstance(Named(), ABC), ABC, issubclass(Both, nn.Module))
print(First(), Both(), len({Square(1), Square(1)}), Square(1) == Square(1), hasattr(Named, "__abstractmethods__"))
