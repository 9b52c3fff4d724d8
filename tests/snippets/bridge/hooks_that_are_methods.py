# Hooks that are methods
import torch, functools
class Rec:
    def __init__(self): self.g = []
    def hook(self, grad): self.g.append(grad.clone())
    def __call__(self, grad): self.g.append(grad * 2)
r = Rec(); x = torch.ones(2, requires_grad=True)
x.register_hook(r.hook); x.register_hook(r)
def named(name, grad): print(name, grad)
x.register_hook(functools.partial(named, 'x'))
y = x * 3; y.retain_grad(); y.sum().backward(); print(r.g, y.grad)
acts = {}
def get(name):
    def hook(model, input, output): acts[name] = output.detach()
    return hook
m = torch.nn.Sequential(torch.nn.Identity(), torch.nn.ReLU()); m[1].register_forward_hook(get('relu')); m(torch.tensor([-1., 1.])); print(acts)
h = m[0].register_forward_pre_hook(lambda mod, inp: (inp[0] * 2,)); print(m(torch.ones(1))); h.remove(); print(m(torch.ones(1)))
