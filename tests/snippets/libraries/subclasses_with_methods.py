# Classes of tensors with special methods, mixins, constructors, copies and parameters of their own
import torch, torch.nn as nn, copy
def t(f):
    try: r=f(); print(type(r).__name__, r)
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0][:160])
# nested classes, mixins, generics, dataclass-ish, __init_subclass__, classmethods
torch.manual_seed(0)
class Base(torch.Tensor):
    registry = []
    def __init_subclass__(cls, **kw): super().__init_subclass__(**kw); Base.registry.append(cls.__name__)
    @classmethod
    def zeros(cls, *shape): return torch.zeros(*shape).as_subclass(cls)
    @staticmethod
    def wrap(x): return x.as_subclass(Base)
    def norm2(self): return (self * self).sum().sqrt()
    def __call__(self, i): return self[i]
    def __contains__(self, v): return True
    def __bool__(self): return True
    def __iter__(self): return iter([1, 2])
    def __eq__(self, o): return 'eq'
    __hash__ = torch.Tensor.__hash__
    def __setitem__(self, k, v): print('set', k, v); super().__setitem__(k, v)
    def __matmul__(self, o): return 'mm'
    def __getattr__(self, n): return f'attr {n}' if not n.startswith('_') else object.__getattribute__(self, n)
class Child(Base): pass
class Mix:
    def hello(self): return 'hello ' + type(self).__name__
class Mixed(Mix, torch.Tensor): pass
print(Base.registry, Child.zeros(2), type(Child.zeros(2)).__name__, Base.wrap(torch.ones(2)).norm2())
b = Base([3., 4.]); print(b(0), 5 in b, bool(b), list(b), b == 1, b @ b, b.anything); b[0] = 1.; print(b)
m = Mixed([1., 2.]); print(m.hello(), m + 1, (m + 1).hello(), Mixed.__mro__[1].__name__)
print(isinstance(Child([1.]), Base), type(Child([1.]) + Base([1.])).__name__, type(Base([1.]) + Child([1.])).__name__, issubclass(Child, torch.Tensor))
class Init(torch.Tensor):
    def __init__(self, data, name): self.name = name
t(lambda: Init([1.], 'a'))
class New(torch.Tensor):
    def __new__(cls, data, name=None):
        obj = torch.as_tensor(data).as_subclass(cls); obj.title = name; return obj
    def __repr__(self): return f'New({self.title}, {super().__repr__()})'
n = New([1., 2.], 'x'); print(n, n.title); t(lambda: (n + 1).title); t(lambda: str(n)); t(lambda: f'{n}')
class Deep(torch.Tensor):
    def __deepcopy__(self, memo): r = torch.Tensor(self.clone().detach()).as_subclass(Deep); r.was = 'deep'; return r
t(lambda: copy.deepcopy(Deep([1.])).was); t(lambda: copy.deepcopy({'a': Deep([2.])}))
class Empty(torch.Tensor):
    def new_empty(self, *a, **k): return super().new_empty(*a, **k).as_subclass(Empty)
e = Empty([1., 2.]); e.tag = [1]; c = copy.deepcopy(e); print(type(c).__name__, c, c.tag, c.tag is e.tag)
class Quant(torch.Tensor):
    @staticmethod
    def __new__(cls, x, scale): return torch.Tensor._make_subclass(cls, (x / scale).round())
    def __init__(self, x, scale): self.scale = scale
    def dequantize(self): return self.as_subclass(torch.Tensor) * self.scale
q = Quant(torch.tensor([0.11, 0.52]), 0.1); print(q, q.scale, q.dequantize(), type(q.dequantize()).__name__)
p = nn.Parameter(torch.ones(2)); print(type(p.data).__name__, type(p.detach()).__name__, type(p * 1).__name__, type(p.clone()).__name__, type(p.view(2)).__name__)
class MyP(nn.Parameter): pass
mp = MyP(torch.ones(2)); print(type(mp).__name__, mp, type(mp + 1).__name__, mp.requires_grad, isinstance(mp, nn.Parameter)); mp.flag = 1; print(copy.deepcopy(mp), hasattr(copy.deepcopy(mp), 'flag'))
lin = nn.Linear(2, 1); lin.weight = MyP(torch.ones(1, 2)); print(type(lin.weight).__name__, lin(torch.ones(2)).shape, [type(v).__name__ for v in lin.parameters()]); lin.double(); print(type(lin.weight).__name__, lin.weight.dtype)
class TF(nn.Parameter):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): print('TF', func.__name__); return super().__torch_function__(func, types, args, kwargs or {})
tf = TF(torch.ones(1)); r = torch.add(tf, 1); print(type(r).__name__)
class Red(torch.Tensor):
    __torch_function__ = classmethod(lambda cls, func, types, args=(), kwargs=None: 'red ' + func.__name__)
t(lambda: Red([1.]) + 1); t(lambda: Red([1.]).shape); t(lambda: torch.sum(Red([1.])))
x = torch.ones(2).as_subclass(Child); x.requires_grad_(); y = x.exp().sum(); y.backward(); print(x.grad, y.grad_fn.name(), y.requires_grad, x.is_leaf)
print(torch.overrides.is_tensor_like(x), torch.is_tensor(x), isinstance(x, torch.FloatTensor), type(x).__module__, type(x).__qualname__)
class Asked(nn.Parameter):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): print('Asked', func.__name__); return super().__torch_function__(func, types, args, kwargs or {})
print(Asked.__mro__[1:3], Asked.__bases__)
