# Attributes deleted past a class's own __delattr__, and patterns with too many parts.
class Log:
    def __setattr__(self, k, v): print("set", k, v); object.__setattr__(self, k, v)
    def __delattr__(self, k): print("del", k); object.__delattr__(self, k)
l = Log(); l.a = 1; del l.a
try: del l.a
except AttributeError as e: print(e)
class L2(dict):
    def __delattr__(self, k): print("d", k); object.__delattr__(self, k)
m = L2(); m.x = 1; del m.x; print(m.__dict__)
class B:
    def __delattr__(self, k): print("b"); super().__delattr__(k)
b = B(); b.q = 1; del b.q; print(vars(b))
import torch
class M(torch.nn.Module):
    def __init__(self): super().__init__(); self.fc = torch.nn.Linear(1,1); self.k = 3
    def __delattr__(self, n): print("rm", n); super().__delattr__(n)
mm = M(); del mm.fc; del mm.k; print(mm)
class P:
    __match_args__ = ("x",)
    def __init__(s, x): s.x = x
try:
    match P(1):
        case P(1, 2): pass
except TypeError as e: print(e)
try:
    match 3:
        case int(1,2): pass
except TypeError as e: print(e)
