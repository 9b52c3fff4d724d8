# What classes inherit from collections.abc and its kin: mixin methods, UserDict, UserList, UserString.
from collections import UserDict, UserList, UserString
class UD(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.lower(), v)
u = UD(A=1); u["B"]=2; print(u, u.data, "a" in u, len(u), list(u.items()), u.get("z", 3), u.pop("a"), u | {"Q": 1}, u.copy(), type(u.copy()), u == {"b": 2})
u.update({"X": 5}, Y=6); print(u, sorted(u), u.setdefault("z", 0), isinstance(u, dict))
class DD(UserDict):
    def __missing__(self, k): return k * 2
print(DD()["ab"], UserDict({"a": 1}))
try: u["nope"]
except KeyError as e: print(repr(e))
class UL(UserList):
    def first(self): return self.data[0]
    def append(self, x): print("adding", x); super().append(x)
l = UL([1,2,3]); l.append(4); print(l, l.first(), l[1:], type(l[1:]), l+[5], len(l), 3 in l, sorted(l, reverse=True), l == [1,2,3,4], l * 2, [0] + l)
l[0] = 9; del l[1]; l += [7]; l.sort(); l.reverse(); print(l, l.index(7), l.count(7), l.pop(), l.copy(), list(reversed(l)), isinstance(l, list))
for x in l: print(x, end=" ")
print()
try: l[10]
except IndexError as e: print(e)
class US(UserString):
    def shout(self): return self.upper()+"!"
s = US("hey"); print(s, s.shout(), len(s), s+"x", type(s.upper()), s=="hey", repr(s), s[0], s.split("e"), "he" in s, {s: 1}, s * 2, s.replace("h", "j"), f"{s}", s < "z", int(US("3")) + 1, "%s" % s, s.startswith("h"), str(s))
from collections.abc import *
class Bag(MutableSet):
    def __init__(self, it=()): self.s = list(dict.fromkeys(it))
    def __contains__(self, x): return x in self.s
    def __iter__(self): return iter(self.s)
    def __len__(self): return len(self.s)
    def add(self, x):
        if x not in self.s: self.s.append(x)
    def discard(self, x):
        if x in self.s: self.s.remove(x)
    def __repr__(self): return f"Bag({self.s})"
b = Bag([1,2,3]); b |= {4}; b &= [2,4,5]; print(b, b - {2}, b ^ {2, 9}, b == {2, 4}, b.pop(), b, b <= {4, 5}, b > set())
try: b.remove(8)
except KeyError as e: print(repr(e))
class It(Iterator):
    def __init__(self): self.i = 0
    def __next__(self):
        self.i += 1
        if self.i > 3: raise StopIteration
        return self.i
print(list(It()), iter(It()).i, Bag.__mro__[1:4], It.__mro__)
class ML(MutableSequence):
    def __init__(self, *a): self.l = list(a)
    def __getitem__(self, i): return self.l[i]
    def __setitem__(self, i, v): self.l[i] = v
    def __delitem__(self, i): del self.l[i]
    def __len__(self): return len(self.l)
    def insert(self, i, v): self.l.insert(i, v)
m = ML(1, 2); m.append(3); m.extend([4, 5]); m.reverse(); m += [0]; print(list(m), m.pop(), m.index(4), 9 in m); m.remove(5); m.clear(); print(m.l)
try: ML(1).index(7)
except ValueError as e: print(repr(e))
class Inc(Mapping): 
    def __len__(self): return 0
try: Inc()
except TypeError as e: print(e)
class DS(Sequence):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if not 0 <= i < self.n: raise IndexError
        return i ** 2
print(list(DS(4)), 9 in DS(4), DS(4).index(9), list(reversed(DS(3))), isinstance(DS(1), Iterable), isinstance(DS(1), Sequence), issubclass(DS, Collection), isinstance(DS(1), Mapping), max(DS(4)), sum(DS(4)))
import typing
class TM(typing.Mapping[str, int]):
    def __getitem__(self, k): return {"a": 1}[k]
    def __iter__(self): return iter(["a"])
    def __len__(self): return 1
t = TM(); print(t.get("a"), t.get("b"), dict(t), list(t.keys()), list(t.values()), t.items(), t == {"a": 1}, "a" in t, {**t}, isinstance(t, typing.Mapping))
