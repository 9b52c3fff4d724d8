# __torch_function__: logging tensors, classes that are no tensors, handlers of functions
import functools
import torch, torch.nn as nn, torch.nn.functional as F

class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('  called', func.__name__, [t.__name__ for t in types], kwargs or None)
        return super().__torch_function__(func, types, args, kwargs if kwargs is not None else {})

x = torch.tensor([[1., 2.], [3., 4.]]).as_subclass(LoggingTensor)
y = x + 1; y = 2 * x - 1; y = 1 - x; y = x / 2; y = 1 / x; y = x @ x; y = x ** 2; y = x // 2; y = -x
y = torch.add(x, torch.ones(2)); y = torch.exp(x); y = x.sum(dim=0, keepdim=True); y = torch.cat([torch.ones(1, 2), x])
y = x.mean(); y = x.shape; y = x.T; y = x[0]; y = x == 1; y = len(x); y = x.requires_grad; z = x.view(4).tolist()
y = F.relu(x); y = F.dropout(x, 0.5, training=False); y = nn.Linear(2, 2)(x); y = nn.Sequential(nn.Linear(2, 2), nn.Tanh())(x)
y = F.mse_loss(x, torch.zeros(2, 2))
print(type(torch.linalg.norm(x)).__name__)
x[0, 0] = 5.
w = torch.ones(2, requires_grad=True).as_subclass(LoggingTensor)
loss = (w * 3).sum(); loss.backward(); print(x.tolist())

HANDLED = {}
def implements(torch_function):
    @functools.wraps(torch_function)
    def decorator(func):
        HANDLED[torch_function] = func
        return func
    return decorator

class ScalarTensor:
    """A diagonal matrix of one value."""
    def __init__(self, N, value): self._N, self._value = N, value
    def __repr__(self): return f'ScalarTensor(N={self._N}, value={self._value})'
    def tensor(self): return self._value * torch.eye(self._N)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if kwargs is None: kwargs = {}
        if func not in HANDLED or not all(issubclass(t, (torch.Tensor, ScalarTensor)) for t in types):
            return NotImplemented
        return HANDLED[func](*args, **kwargs)

def ensure(data): return data.tensor() if isinstance(data, ScalarTensor) else torch.as_tensor(data)
@implements(torch.mean)
def mean(input): return float(input._value) / input._N
@implements(torch.add)
def add(input, other):
    if isinstance(input, ScalarTensor) and isinstance(other, ScalarTensor) and input._N == other._N:
        return ScalarTensor(input._N, input._value + other._value)
    return torch.add(ensure(input), ensure(other))
@implements(F.relu)
def relu(input, inplace=False): return ScalarTensor(input._N, max(input._value, 0))

s = ScalarTensor(2, 2)
print(torch.mean(s), torch.add(s, s), torch.add(s, torch.ones(2, 2)), torch.add(torch.ones(2, 2), s), F.relu(ScalarTensor(3, -1)), nn.ReLU()(s))
for use in (lambda: torch.mul(s, 3), lambda: F.softmax(s, dim=0), lambda: torch.stack([s, torch.ones(2)]), lambda: torch.einsum('i->i', s)):
    try: print(use())
    except TypeError as e: print(e)

class Metadata:
    def __init__(self, data, metadata=None): self._t, self._metadata = torch.as_tensor(data), metadata
    def __repr__(self): return f'Metadata({self._metadata}: {self._t.tolist()})'
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        metadatas = tuple(a._metadata for a in args if hasattr(a, '_metadata'))
        args = [getattr(a, '_t', a) for a in args]
        assert len(metadatas) > 0
        return Metadata(func(*args, **(kwargs or {})), metadata=metadatas[0])
a = Metadata([1., 2.], 'volts')
print(torch.add(a, 1), torch.add(torch.ones(2), a), torch.mul(a, a), torch.sqrt(a))

class Unwrapped(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
u = torch.ones(2).as_subclass(Unwrapped); print(type(u).__name__, type(u + 1).__name__, u)
with torch._C.DisableTorchFunctionSubclass(): print(type(x + 1).__name__)

class First(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('First', func.__name__); return super().__torch_function__(func, (), args, kwargs or {})
class Second(First):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('Second', func.__name__); return super().__torch_function__(func, types, args, kwargs or {})
f, g = torch.ones(1).as_subclass(First), torch.ones(1).as_subclass(Second)
print(type(f + g).__name__, type(torch.add(f, g)).__name__)
class Refusing(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): return NotImplemented
r = torch.ones(1).as_subclass(Refusing)
for use in (lambda: r + 1, lambda: r.add(1), lambda: torch.add(r, 1), lambda: F.relu(r), lambda: print(r)):
    try: use()
    except TypeError as e: print(e)
class Locked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.Tensor.add_, torch.Tensor.mul_): raise RuntimeError(f'{func.__name__} is not allowed')
        return super().__torch_function__(func, types, args, kwargs or {})
l = torch.ones(1).as_subclass(Locked)
try: l.add_(1)
except RuntimeError as e: print(e)
print(l + 1, torch.Tensor.add(l, 2))
del x, y, z, w, r, f, g, l, loss
