# Registries by __init_subclass__, class decorators and __set_name__ descriptors
import torch, torch.nn as nn
torch.manual_seed(0)
REG = {}
def register(name):
    def deco(cls): REG[name] = cls; return cls
    return deco
class Typed:
    def __init__(s, kind): s.kind = kind
    def __set_name__(s, owner, name): s.name = "_" + name
    def __get__(s, obj, owner=None): return s if obj is None else obj.__dict__.get(s.name)
    def __set__(s, obj, v):
        if not isinstance(v, s.kind): raise TypeError(f"{s.name[1:]} must be {s.kind.__name__}")
        obj.__dict__[s.name] = v
class Cfg:
    lr = Typed(float)
    def __init__(s, lr): s.lr = lr
@register("mlp")
class MLP(nn.Module):
    def __init__(s, c): super().__init__(); s.l = nn.Linear(1, 1); s.c = c
    def forward(s, x): return s.l(x) * s.c.lr
m = REG["mlp"](Cfg(.5)); print(m, m.c.lr, list(REG))
try: Cfg(1)
except TypeError as e: print(e)
class Base:
    subs = []
    def __init_subclass__(cls, tag=None, **k): super().__init_subclass__(**k); cls.subs.append((cls.__name__, tag))
class A(Base, tag="x"): pass
class B(A): pass
print(Base.subs)
