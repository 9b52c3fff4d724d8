# Built-in functions and methods that get too many arguments, too few, or of the wrong kind
calls = [
    lambda: any(), lambda: all([1], 2), lambda: open(), lambda: sorted(), lambda: sorted([1, 2], 3),
    lambda: sorted([1], foo=1), lambda: zip([1], strict=1, foo=2), lambda: enumerate(), lambda: map(), lambda: map(len),
    lambda: filter(None), lambda: reversed(), lambda: sum(), lambda: sum([1], 2, 3), lambda: round(), lambda: pow(2),
    lambda: divmod(1), lambda: isinstance(1), lambda: issubclass(int), lambda: callable(), lambda: getattr(1),
    lambda: setattr(1, "x"), lambda: hasattr(1), lambda: id(), lambda: iter(), lambda: next(), lambda: repr(),
    lambda: repr(1, 2), lambda: input(1, 2), lambda: dir(1, 2), lambda: dict(1, 2), lambda: len(), lambda: len([], []),
    lambda: ",".join(), lambda: "a".replace("a"), lambda: "a".center(), lambda: [].extend(), lambda: [1].remove(),
    lambda: [1].index(), lambda: [1].count(), lambda: [3, 1].sort(1), lambda: [3, 1].sort(foo=3), lambda: [1].copy(1),
    lambda: (1, 2).count(), lambda: {}.update(1, 2), lambda: {}.copy(1), lambda: set().pop(1), lambda: {}.get(),
    lambda: {}.update(mapping=1, self=2), lambda: [].append(1, 2), lambda: list.append([]), lambda: sum([b"a"], b""), lambda: isinstance(1, "int"),
    lambda: isinstance(1, (int, 2)), lambda: isinstance("a", (int, 2)), lambda: issubclass(int, 1),
    lambda: isinstance(True, ((float, str), (int, 3))), lambda: hasattr(1, 2), lambda: iter(1, 2),
    lambda: format(1, 2), lambda: vars(1), lambda: str("a", encoding="utf-8"), lambda: str(b"a", encoding="ascii"),
    lambda: str(object=3), lambda: list.count([1]), lambda: "a".join.foo,
]
for call in calls:
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
for stop in (quit, exit):
    try:
        stop()
    except SystemExit as end:
        print(repr(end), end.code)
import json
import math

for call in (lambda: math.sqrt(), lambda: math.pow(2), lambda: json.loads({"a": 1}), lambda: json.loads(None)):
    try:
        print(call())
    except TypeError as error:
        print(error)


def tagged():
    """Has attributes."""


tagged.size = 3
tagged.__dict__["kind"] = "function"
print(vars(tagged), tagged.kind, (lambda: 0).__dict__)
import functools
import itertools
import re

for call in (
    lambda: functools.reduce(), lambda: functools.reduce(max), lambda: functools.partial(), lambda: re.match(),
    lambda: re.compile(), lambda: itertools.permutations(), lambda: itertools.combinations([1]),
    lambda: math.factorial(), lambda: math.comb(3), lambda: math.dist([1]),
):  # fmt: skip
    try:
        print(call())
    except TypeError as error:
        print(error)
