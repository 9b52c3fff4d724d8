# Classes derived from what is no class, and arguments that object.__new__ does not take
import torch.nn as nn


class Shape:
    pass


class Made:
    def __init__(self, name, bases, namespace):
        print("made", name, len(bases), sorted(namespace)[-1])


bases = [
    (nn,), (nn.functional,), (len,), (lambda: 0,), (5,), (1.5,), (True,), ("Shape",), ([Shape],), ({},), (None,), ((Shape,),),
    (Shape(),), (nn.Module, nn), (Made.__init__,),
]
for given in bases:
    try:

        class Net(*given):
            pass
    except TypeError as error:
        print(error)


class Net(Made("a", (), {"b": 1})):
    x = 1


print(type(Net).__name__)


class Single:
    made = None

    def __new__(cls, *args, **kwargs):
        if cls.made is None:
            cls.made = super().__new__(cls, *args, **kwargs)
        return cls.made

    def __init__(self, x=0):
        self.x = x


class Plain:
    pass


class Passing:
    def __init__(self, *args):
        super().__init__(*args)


for call in (
    lambda: Single(1), lambda: Single().x, lambda: object.__new__(Plain, 1), lambda: Plain(1), lambda: Plain(x=1),
    lambda: Passing(1), lambda: type(Passing()).__name__, lambda: type(object.__new__(Passing, 1)).__name__,
):  # fmt: skip
    try:
        print(call())
    except TypeError as error:
        print(error)
