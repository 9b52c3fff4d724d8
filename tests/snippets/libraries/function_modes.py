# torch.overrides: modes that hear of every call, has_torch_function and its kin
import torch, torch.nn as nn, torch.nn.functional as F
from torch.overrides import (TorchFunctionMode, handle_torch_function, has_torch_function, is_tensor_like,
                             is_tensor_method_or_property, resolve_name)

class Log(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print('  ', resolve_name(func), len(args), sorted(kwargs or {}))
        return func(*args, **(kwargs or {}))

class Count(TorchFunctionMode):
    def __init__(self): super().__init__(); self.counts = {}
    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.counts[func.__name__] = self.counts.get(func.__name__, 0) + 1
        return func(*args, **(kwargs or {}))

x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
with Log():
    a = torch.ones(2, 2)
    b = x + a; b = 2 * b - 1; b = 1 - b; b = b @ x; b = -b; b = b > 0; c = x[0]; d = x.shape; e = x.T
    f = torch.cat([x, a]).sum(dim=0).mean()
    f.backward()
    out = net(x)
    loss = F.mse_loss(out, torch.zeros(2, 1))
    loss2 = nn.CrossEntropyLoss()(x, torch.tensor([0, 1]))
    print(len(x), x.grad is None, float(f.detach()) > 0)
    torch.manual_seed(0)
    y = torch.randn(2); y += 1; y[0] = 3.
print(x.grad)
with Count() as counter:
    for step in range(3):
        loss = ((x * 2).relu() ** 2).sum()
        loss.backward()
print(counter.counts)
with Log():
    with Count() as inner:
        z = torch.add(x, 1)
print(inner.counts)

class Double(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result * 2 if func is torch.ones else result
with Double(): print(torch.ones(2), torch.zeros(1))
print(torch.ones(2))

class Tagged:
    def __init__(self, value): self.value = value
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return f'{func.__name__} of {[getattr(a, "value", a) for a in args]}'
def scale(t, by=2):
    if has_torch_function((t,)): return handle_torch_function(scale, (t,), t, by=by)
    return t * by
print(scale(torch.ones(2)), scale(Tagged(3)), has_torch_function((Tagged(1),)), has_torch_function((x,)))
print(is_tensor_like(x), is_tensor_like(Tagged(1)), is_tensor_like(3), is_tensor_method_or_property(torch.Tensor.add),
      is_tensor_method_or_property(torch.add), resolve_name(torch.add), resolve_name(F.relu), resolve_name(torch.Tensor.mul))
class Nothing(TorchFunctionMode): pass
class Refuse(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None): return NotImplemented
for mode in (Nothing(), Refuse()):
    try:
        with mode: torch.ones(1)
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
try:
    with Log(): raise ValueError('left')
except ValueError as e: print(e)
print(x + 1)
