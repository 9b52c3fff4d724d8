# Classes made by calls of type
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
T = type('T', (), {'x': 1, 'f': lambda self: self.x, '__repr__': lambda self: 'T!'})
print(T().f(), T.__name__, T, T())
U = type('U', (T,), dict(y=2)); print(U().f(), U.y, U.__bases__, type(U), isinstance(U, type))
for a in [(), (1,2), (1,2,3), ('A',1,{}), ('A',(),1), ('A',(int,),{'double': lambda s: s*2})]:
    t(lambda: type(*a))
print(type('I', (int,), {'double': lambda s: s*2})(4).double())
def make(name): return type(name, (Exception,), {'__module__': __name__})
E1 = make('MyError')
try: raise E1('a')
except E1 as e: print(type(e), e)
import torch.nn as nn, torch
def init(self):
    nn.Module.__init__(self); self.l = nn.Linear(2, 1)
N = type('N', (nn.Module,), {'__init__': init, 'forward': lambda self, x: self.l(x).sum()})
torch.manual_seed(0)
n = N(); n(torch.ones(1,2)).backward(); print(n, n.l.weight.grad)
class Base:
    def __init_subclass__(cls, tag=None): print('sub', cls, tag)
type('S', (Base,), {}, tag=3)
models = {k: type(k, (Base,), {'size': v}) for k, v in {'a':1,'b':2}.items()}
print([m.size for m in models.values()], type(1), type(type(1)), type(type))
t(lambda: type('A', (), {}, foo=1))
