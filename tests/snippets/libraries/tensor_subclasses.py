# Classes derived from Tensor: results are theirs, attributes, methods, properties, gradients
import copy
import torch, torch.nn as nn, torch.nn.functional as F

class MyTensor(torch.Tensor):
    unit = 'm'
    @property
    def doubled(self): return self * 2
    def describe(self): return f'{type(self).__name__} of {tuple(self.shape)} in {self.unit}'

class Tagged(torch.Tensor):
    @staticmethod
    def __new__(cls, data, tag, requires_grad=False):
        return torch.Tensor._make_subclass(cls, torch.as_tensor(data), requires_grad)
    def __init__(self, data, tag, requires_grad=False):
        self.tag = tag
    def __repr__(self):
        return f'Tagged({self.tag}: {self.tolist()})'

x = MyTensor([1., 2., 3.])
print(x, x + 1, 1 + x, x * torch.ones(3), torch.ones(3) * x, x.sum(), x[0], x[:2], -x, x > 1)
print(type(x.shape), x.dtype, x.doubled, x.describe(), x.T.shape if x.dim() > 1 else x.dim(), len(x), x.numel())
print(torch.cat([torch.zeros(1), x]), torch.stack([x, x]), torch.where(x > 1, x, 0.), F.relu(x), F.softmax(x, dim=0))
print(x.max(0), x.split(2), x.unbind()[0], torch.sort(x)[0], x.tolist(), x.numpy(), x.item if x.numel() == 1 else None)
print([type(v).__name__ for v in (x.data, x.detach(), x.clone(), x.new_zeros(2), torch.zeros_like(x), x.double(), x.view(3, 1))])
print(isinstance(x, torch.Tensor), type(x) is torch.Tensor, x.__class__.__name__, MyTensor.__bases__, torch.is_tensor(x))
print([type(v).__name__ for v in x], f'{x}', str(x[0]), float(x[0]), bool(x[0] > 0), x.unit)
w = torch.tensor([1., 2.], requires_grad=True)
m = w.as_subclass(MyTensor)
print(m, m.grad_fn, m.is_leaf, (m * 3).grad_fn.next_functions[0][0].__class__.__name__)
m.register_hook(lambda g: print('hook', type(g).__name__, g))
loss = (m * m).sum(); print(loss); loss.backward(); print(w.grad, type(w.grad).__name__)
k = MyTensor([1., 2.]).requires_grad_(); (k * k).sum().backward(); print(k, k.grad, type(k.grad).__name__)
print(torch.autograd.grad((k * k).sum(), k))
t = Tagged([1., 2.], 'first', True); print(t, t.tag, t.requires_grad, t.is_leaf, type(t * 2).__name__)
(t * 2).sum().backward(); print(t.grad)
try: (t * 2).tag
except AttributeError as e: print(e)
print(nn.Linear(3, 2)(x).__class__.__name__, nn.MSELoss()(x, torch.zeros(3)), nn.Sequential(nn.ReLU(), nn.Flatten(0))(x))
x.extra = [1]; c = copy.copy(x); print(c, c.extra is x.extra)
for use in (lambda: copy.deepcopy(x), lambda: copy.deepcopy(m), lambda: x.as_subclass(int), lambda: x.as_subclass(5),
            lambda: torch.Tensor._make_subclass(int, x), lambda: torch.Tensor._make_subclass(MyTensor, [1]),
            lambda: x + t, lambda: x + 'a', lambda: MyTensor([1.], requires_grad=True).shape, lambda: x.nothing):
    try: print(use())
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
print(type(x.as_subclass(torch.Tensor)).__name__, type(x.as_subclass(Tagged)).__name__)
x += 1; x[0] = 7.; x.mul_(2); print(x)
with torch.no_grad(): print((m * 2).requires_grad)

class Noisy(nn.Parameter):
    def __new__(cls, data=None, requires_grad=True, scale=0.1):
        made = super().__new__(cls, data, requires_grad)
        made.scale = scale
        return made
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = Noisy(torch.ones(2), scale=0.5)
    def forward(self, x): return x * self.w * self.w.scale
model = Model(); out = model(torch.ones(2)).sum(); out.backward()
print(type(model.w).__name__, model.w, model.w.grad, isinstance(model.w, nn.Parameter), [n for n, _ in model.named_parameters()])
again = copy.deepcopy(model); print(type(again.w).__name__, again.w.scale, again(torch.ones(2)))
