# Dicts whose items are attributes, and methods of Python's types as members of classes
import copy

import torch


class AttrDict(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


cfg = AttrDict(lr=0.1, steps=3)
cfg.momentum = 0.9
del cfg.steps
print(cfg, cfg.lr, cfg.missing, cfg["momentum"], cfg.get("lr"), len(cfg))
try:
    del cfg.missing
except KeyError as error:
    print("KeyError", error)


class Strict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


strict = Strict(a=1)
strict.b = [1, 2]
strict.b.append(3)
print(strict.a, strict.b, strict, hasattr(strict, "keys"))
try:
    strict.nothing
except KeyError as error:
    print("KeyError", error)


class Itself(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


it = Itself(x=1, copy=5)
it.y = 2
it["z"] = 3
print(it, it.x, it["y"], it.z, it.copy, list(it.keys()), vars(it) is it, it.__dict__ is it)
del it.x
print(sorted(it.keys()), "x" in it, hasattr(it, "x"))
try:
    it.x
except AttributeError as error:
    print(error)
try:
    del it.x
except AttributeError as error:
    print(error)


class Borg:
    _shared = {}

    def __init__(self):
        self.__dict__ = Borg._shared


one, two = Borg(), Borg()
one.state = "ready"
print(two.state, Borg._shared, one is two, one.__dict__ is two.__dict__)
Borg._shared["other"] = 7
print(one.other, vars(two))


class Config:
    limit = 10

    def __init__(self, **values):
        self.__dict__ = values

    @property
    def double(self):
        return self.rate * 2


config = Config(rate=0.5, limit=3)
config.more = torch.tensor([1.0, 2.0], requires_grad=True)
print(config.rate, config.limit, config.double, sorted(config.__dict__))
config.__dict__ = {"rate": 4}
print(config.rate, config.limit, config.__dict__, hasattr(config, "more"))
try:
    config.__dict__ = 3
except TypeError as error:
    print(error)
other = Config()
other.__dict__ = config.__dict__
other.rate += 1
print(config.rate)


apart = copy.copy(it)
apart.y = 20
print(apart.y, it.y, it["y"], apart["y"])


class Stack(list):
    __lshift__ = list.append
    __call__ = list.index
    push = list.append


stack = Stack([1])
stack << 2
stack.push(3)
print(stack, stack(3), Stack.push, list.append is Stack.push)


class Lookup(dict):
    __call__ = dict.get

    def __setitem__(self, key, value):
        dict.__setitem__(self, key.lower(), value)

    def __getitem__(self, key):
        return dict.__getitem__(self, key.lower())

    def __len__(self):
        return dict.__len__(self) * 10

    def __repr__(self):
        return f"Lookup({dict.__repr__(self)})"


lookup = Lookup()
lookup["A"] = 1
print(lookup, lookup("a"), lookup("b", 2), lookup["A"], len(lookup))


class Total(list):
    def __add__(self, other):
        return Total(list.__add__(self, other))

    def __eq__(self, other):
        return list.__eq__(self, other)

    def __contains__(self, item):
        return not list.__contains__(self, item)

    def __repr__(self):
        return "Total" + super().__repr__()


print(Total([1]) + [2], Total([1]) == [1], 1 in Total([1]), Total([Total([2])]))


class Pair(tuple):
    __slots__ = ()

    def __new__(cls, *items):
        return tuple.__new__(cls, items)

    def __getitem__(self, index):
        return tuple.__getitem__(self, -1 - index)


print(Pair(1, 2)[0], Pair(1, 2))


class Same:
    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return self.key == other.key

    __hash__ = object.__hash__
    __setattr__ = object.__setattr__


same = Same(1)
print({same: "found"}[same])
for wrong in (lambda: dict.get([], 1), lambda: dict.get(), lambda: dict.__setitem__(3, 1, 2), lambda: str.upper(3)):
    try:
        wrong()
    except TypeError as error:
        print(error)
print(dict.get, dict.__getitem__, str.upper.__qualname__, list(map(str.upper, "ab")))
loss = (config.rate * torch.tensor(3.0, requires_grad=True)) ** 2
loss.backward()
