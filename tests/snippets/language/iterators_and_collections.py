# itertools and collections: what their objects show, and what else chain maps and named tuples do
import collections
import itertools
from collections import ChainMap, namedtuple
from itertools import count, repeat, tee
counter = count(5, 2)
print(counter, next(counter), counter, count(), repeat("ab"), repeat(3, 2), type(counter).__name__, type(repeat(1)))
print([type(each).__name__ for each in (
    itertools.chain([1]), itertools.cycle([1]), itertools.product([1], [2]), itertools.groupby("a"), itertools.islice([1], 1),
    tee([1])[0], itertools.starmap(pow, []), itertools.zip_longest([1]), itertools.permutations([1]),
)])
a, b = tee(iter([1, 2, 3]))
print(list(a), next(b), [list(group) for _, group in itertools.groupby([1, 1, 2])])
settings = ChainMap({"lr": 0.1}, {"lr": 1.0, "steps": 5})
print(list(settings.items()), settings.pop("lr"), settings["lr"], settings.setdefault("k", 2), settings | {"z": 1})
print(settings == {"lr": 1.0, "steps": 5, "k": 2}, settings.popitem(), settings, isinstance(settings, collections.abc.Mapping))
Point = namedtuple("Point", "x y", defaults=[0])
print(Point.__doc__, Point.x, namedtuple("Row", ["a", "class", "a", "_b"], rename=True)._fields)
for wrong in (
    lambda: setattr(Point(1), "x", 3), lambda: Point(1, 2, 3), lambda: Point(), lambda: Point(1, z=2), lambda: settings.pop("none"),
    lambda: ChainMap().popitem(), lambda: repeat(), lambda: itertools.islice(), lambda: namedtuple("P", "class"),
    lambda: itertools.combinations("abc", -1), lambda: count("a"), lambda: tee([1], -1), lambda: delattr(Point(1), "y"),
):
    try:
        print(wrong())
    except (TypeError, ValueError, AttributeError, KeyError) as e:
        print(type(e).__name__, e)
