# Abstract classes that are modules, datasets, optimizers: only those with ABCMeta refuse to be made.
import abc
from abc import ABC, ABCMeta, abstractmethod

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from torch.utils.data import Dataset


def refused(make):
    try:
        print(type(make()).__name__)
    except TypeError as error:
        print(error)


class Base(nn.Module, ABC):
    @abstractmethod
    def forward(self, x):
        pass

    @property
    @abc.abstractmethod
    def width(self):
        pass

    def twice(self, x):
        return 2 * self(x)


class Half(Base):
    width = 3


class Whole(Half):
    def forward(self, x):
        return x + 1


class ByMeta(nn.Module, metaclass=ABCMeta):
    @abstractmethod
    def encode(self, x): ...


class Plain(nn.Module):
    @abstractmethod
    def forward(self, x): ...


class PlainToo:
    @abstractmethod
    def run(self): ...


class Mixin:
    def encode(self, x):
        return x * 2


class Mixed(Mixin, ByMeta):
    pass


class Behind(ByMeta, Mixin):
    pass


class Data(Dataset, ABC):
    @abstractmethod
    def __getitem__(self, index): ...

    @abstractmethod
    def __len__(self): ...


class Steps(Optimizer, metaclass=abc.ABCMeta):
    @abstractmethod
    def rule(self, p): ...


class Rates(LRScheduler, ABC):
    @staticmethod
    @abstractmethod
    def rate(epoch): ...


class Alone(ABC):
    @classmethod
    @abstractmethod
    def build(cls): ...


makers = [Base, Half, Whole, ByMeta, Plain, PlainToo, Mixed, Behind, Data, Alone]
for make in [*makers, lambda: Steps([], {}), lambda: Rates(None)]:
    refused(make)
print(Whole().twice(torch.ones(2)), Whole().width, isinstance(Whole(), Base))


class Late(ByMeta):
    pass


Late.encode = lambda self, x: x
refused(Late)
