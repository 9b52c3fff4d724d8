# Inheritance, super, class attributes, dunder methods
import torch
import torch.nn as nn
from abc import ABC, abstractmethod

class Model(ABC):
    count = 0

    def __init__(self, name):
        self.name = name
        type(self).count += 1
        Model.count += 0

    @abstractmethod
    def params(self): ...

    def __repr__(self):
        return f"<{self.__class__.__name__} {self.name}>"

    def __call__(self, *args):
        return self.forward(*args)

    @classmethod
    def default(cls):
        return cls("default")

class Line(Model):
    def __init__(self, name, slope=2.0):
        super().__init__(name)
        self.slope = torch.tensor(slope, requires_grad=True)

    def params(self):
        return [self.slope]

    def forward(self, x):
        return self.slope * x

    def __len__(self):
        return len(self.params())

    def __eq__(self, other):
        return isinstance(other, Line) and self.slope.item() == other.slope.item()

line = Line.default()
line(3.0).backward()
print(line, len(line), line.slope.grad, Line.count, Model.count, line == Line("other"))
try:
    Model("x")
except TypeError as e:
    print(e)
print(isinstance(line, Model), issubclass(Line, Model), hasattr(line, "forward"), getattr(line, "bias", None), callable(line))
