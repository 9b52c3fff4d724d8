# fast.ai style: Modules with hooks from scratch, forward and backward stored on outputs, chunked parameters
import torch, math

class Module():
    def __call__(self, *args):
        self.args = args
        self.out = self.forward(*args)
        return self.out
    def forward(self): raise Exception('not implemented')
    def backward(self): self.bwd(self.out, *self.args)

class Relu(Module):
    def forward(self, inp): return inp.clamp_min(0.) - 0.5
    def bwd(self, out, inp): inp.g = (inp > 0).float() * out.g

class Lin(Module):
    def __init__(self, w, b): self.w, self.b = w, b
    def forward(self, inp): return inp @ self.w + self.b
    def bwd(self, out, inp):
        inp.g = out.g @ self.w.t()
        self.w.g = inp.t() @ out.g
        self.b.g = out.g.sum(0)

class Mse(Module):
    def forward(self, inp, targ): return (inp.squeeze() - targ).pow(2).mean()
    def bwd(self, out, inp, targ): inp.g = 2 * (inp.squeeze() - targ).unsqueeze(-1) / targ.shape[0]

class Model():
    def __init__(self, w1, b1, w2, b2):
        self.layers = [Lin(w1, b1), Relu(), Lin(w2, b2)]
        self.loss = Mse()
    def __call__(self, x, targ):
        for l in self.layers: x = l(x)
        return self.loss(x, targ)
    def backward(self):
        self.loss.backward()
        for l in reversed(self.layers): l.backward()

torch.manual_seed(0)
n, m, nh = 8, 5, 4
x_train, y_train = torch.randn(n, m), torch.randn(n)
def normalize(x, m, s): return (x - m) / s
x_train = normalize(x_train, x_train.mean(), x_train.std())
print(x_train.mean().abs() < 1e-6, x_train.std())
w1 = torch.randn(m, nh) * math.sqrt(2 / m); b1 = torch.zeros(nh)
w2 = torch.randn(nh, 1) / math.sqrt(nh); b2 = torch.zeros(1)
model = Model(w1, b1, w2, b2)
loss = model(x_train, y_train)
model.backward()
ig, w1g, b1g = x_train.g.clone(), w1.g.clone(), b1.g.clone()
xt = x_train.clone().requires_grad_(True)
w12, b12, w22, b22 = [t.clone().requires_grad_(True) for t in (w1, b1, w2, b2)]
l = ((((xt @ w12 + b12).clamp_min(0.) - 0.5) @ w22 + b22).squeeze() - y_train).pow(2).mean()
l.backward()
def test_near(a, b): assert torch.allclose(a, b, rtol=1e-3, atol=1e-5), f"not near: {a} {b}"
test_near(ig, xt.grad); test_near(w1g, w12.grad); test_near(b1g, b12.grad)
print(loss, l, hasattr(x_train, 'g'), hasattr(xt, 'g'))
class DummyModule():
    def __init__(self, n_in, nh, n_out):
        self._modules = {}
        self.l1 = Lin(torch.zeros(n_in, nh), torch.zeros(nh))
    def __setattr__(self, k, v):
        if not k.startswith("_"): self._modules[k] = v
        super().__setattr__(k, v)
    def __repr__(self): return f'{list(self._modules)}'
    def __getattr__(self, k): raise AttributeError(f"no {k}!")
dm = DummyModule(2, 3, 1)
print(dm)
try:
    dm.l2
except AttributeError as e:
    print(e)
stats = [(o.mean().item(), o.std().item()) for o in (model.layers[0].out, model.layers[1].out)]
print([tuple(round(v, 4) for v in s) for s in stats])
