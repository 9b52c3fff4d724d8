# Mixins, super chains, properties with setters on modules, class attributes, __getattr__, __setattr__ with parameters
import torch, torch.nn as nn
class Named:
    def __init__(self, *a, name="?", **k): super().__init__(*a, **k); self.name = name
    def __str__(self): return f"<{type(self).__name__} {self.name}>"
class Base(nn.Module):
    count = 0
    def __init__(self, d): super().__init__(); self.lin = nn.Linear(d, d, bias=False); nn.init.eye_(self.lin.weight); Base.count += 1
    @property
    def scale(self): return self._scale
    @scale.setter
    def scale(self, v): self._scale = nn.Parameter(torch.tensor(float(v)))
    @staticmethod
    def helper(x): return x + 1
    @classmethod
    def make(cls, *a, **k): return cls(*a, **k)
class Model(Named, Base):
    def __init__(self, d, **k): super().__init__(d, **k); self.scale = 2
    def forward(self, x): return self.helper(self.lin(x)) * self.scale
m = Model.make(2, name="m1"); y = m(torch.ones(1, 2)); y.sum().backward(); print(m, repr(m), Base.count, Model.__mro__[1].__name__, m.scale.grad, [n for n, _ in m.named_parameters()], isinstance(m, Named), m.name)
class Lazy(nn.Module):
    def __getattr__(self, n):
        try: return super().__getattr__(n)
        except AttributeError:
            if n.startswith("auto_"): return len(n)
            raise
    def __setattr__(self, n, v): print("set", n, type(v).__name__) if n == "p" else None; super().__setattr__(n, v)
    def __len__(self): return 3
    def __contains__(self, k): return k == "p"
l = Lazy(); l.p = nn.Parameter(torch.ones(1)); print(l.auto_x, "p" in l, len(l), bool(l), list(l._parameters))
try: l.missing
except AttributeError as e: print(e)
try: l.p = torch.ones(1)
except TypeError as e: print(e)
del l.p; print(list(l.parameters()), hasattr(l, "p"), getattr(l, "p", "gone"), callable(l), dir(m)[-1] > "a")
