# Named tuples with fields called `cls` and `self`
from collections import namedtuple
from typing import NamedTuple

Out = namedtuple("Out", "cls reg")
out = Out(cls=1, reg=2)
print(out, out.cls, out._replace(cls=3), Out._make([4, 5]), out._asdict(), Out(6, reg=7))


class Step(NamedTuple):
    self: int
    cls: int = 2


print(Step(self=1), Step(1, cls=5)._replace(self=9), Step._make((1, 2)))
for wrong in (
    lambda: Out(1, cls=2),
    lambda: Out(cls=1),
    lambda: Out._make([1]),
    lambda: out._replace(self=1),
    lambda: Step(cls=1, other=2),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
