# Mappings and sequences of the program where Python's own can stand: patterns, calls, samples, formats.
from collections import UserDict, UserList, Counter, OrderedDict, defaultdict, ChainMap
from collections.abc import *
import copy, json, pprint, random, pickle
u = UserDict(a=1, b=[2]); l = UserList([3, 1, 2])
print(dict(u), {**u}, sorted(u.items()), copy.deepcopy(u), copy.copy(u), Counter(u.keys()), OrderedDict(u), u == {"a": 1, "b": [2]}, u != {}, bool(UserDict()), list(u), max(l), sorted(l), tuple(l), set(l), [*l], l + l, l * 2, sum(l), 3 in l, ",".join(map(str, l)), copy.deepcopy(l), l == [3, 1, 2], l[::-1])
pprint.pprint(u)
try: json.dumps(u)
except TypeError as e: print(e)
class Row(Mapping):
    def __init__(self, **k): self._d = k
    def __getitem__(self, k): return self._d[k]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)
class Seq(Sequence):
    def __init__(self, *a): self.a = a
    def __getitem__(self, i): return self.a[i]
    def __len__(self): return len(self.a)
def m(x):
    match x:
        case {"k": v, **rest}: return ("map", v, rest)
        case [a, *b]: return ("seq", a, b)
        case _: return "other"
print(m(Row(k=1, z=2)), m(Seq(1, 2, 3)), m(UserDict(k=5)), m(l), m(ChainMap({"k": 1})))
def f(**k): return k
print(f(**Row(a=1)), {**Row(q=2)}, dict(Row(z=1)), "%(a)s" % Row(a=3), "{a}".format_map(Row(a=4)), random.Random(0).choice(Seq(1, 2, 3)), random.Random(1).sample(Seq(5, 6, 7), 2), list(zip(Seq(1, 2), Seq(3, 4))), list(enumerate(Seq("a"))), list(map(str, Seq(1))))
a, *b = Seq(1, 2, 3); print(a, b, Row(a=1) == Row(a=1), Row(a=1) == {"a": 1}, {"a": 1} == Row(a=1), Row(a=1).keys() & {"a"}, Row(a=1).items() == {("a", 1)}, Row(a=1).keys() | {"z"} >= {"a"}, len(Row(a=1).values()), 1 in Row(a=1).values(), ("a", 1) in Row(a=1).items())
try: hash(Row(a=1))
except TypeError as e: print(e)
try: Row(a=1)["x"]
except KeyError as e: print(e)
try: Row(a=1).foo
except AttributeError as e: print(e)
try: Row(a=1).get()
except TypeError as e: print(e)
try: Seq(1).index(5)
except ValueError as e: print(repr(e))
d = {}; d.update(Row(a=1)); print(d, ChainMap(Row(a=1), {"b": 2})["a"])
class LRU(MutableMapping):
    def __init__(self, cap): self.cap, self.d = cap, OrderedDict()
    def __getitem__(self, k): self.d.move_to_end(k); return self.d[k]
    def __setitem__(self, k, v):
        self.d[k] = v; self.d.move_to_end(k)
        if len(self.d) > self.cap: self.d.popitem(last=False)
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
    def __repr__(self): return f"LRU({dict(self.d)})"
c = LRU(2); c["a"] = 1; c["b"] = 2; c["a"]; c["c"] = 3; print(c, "b" in c, c.pop("a"), c.pop("zz", None), c)
try: c.pop("nope")
except KeyError as e: print(repr(e))
try: LRU(1).popitem()
except KeyError as e: print(repr(e))
print(isinstance(c, (Mapping, list)), issubclass(LRU, MutableMapping), LRU.__mro__[1].__name__, LRU.__bases__, LRU.get.__name__, LRU.__abstractmethods__, Mapping.__name__ if hasattr(Mapping, "__name__") else "")
class Vec(Hashable, Sized):
    def __init__(self, *a): self.a = a
    def __hash__(self): return hash(self.a)
    def __len__(self): return len(self.a)
print(len(Vec(1, 2)), hash(Vec(1)) == hash((1,)))
class Fn(Callable):
    def __call__(self, x): return x + 1
print(Fn()(2), callable(Fn()))
