# Activation statistics with partial and a hook class
import torch, functools
from collections import defaultdict, OrderedDict

class Stats:
    def __init__(self):
        self.mean, self.std, self.grads = defaultdict(list), defaultdict(list), OrderedDict()
    def fwd(self, name, module, inp, out):
        self.mean[name].append(round(out.detach().mean().item(), 4))
        self.std[name].append(round(out.std().item(), 4))
    def bwd(self, name, module, gin, gout):
        self.grads[name] = tuple(g.norm().item() if g is not None else None for g in gout)
    def __repr__(self):
        return f"Stats(mean={dict(self.mean)}, std={dict(self.std)})"

torch.manual_seed(1)
net = torch.nn.Sequential(OrderedDict([("fc1", torch.nn.Linear(4, 8)), ("act", torch.nn.LeakyReLU(0.1)), ("fc2", torch.nn.Linear(8, 2))]))
st = Stats()
handles = []
for name, mod in net.named_children():
    handles.append(mod.register_forward_hook(functools.partial(st.fwd, name)))
    handles.append(mod.register_full_backward_hook(functools.partial(st.bwd, name)))
x = torch.randn(5, 4)
for _ in range(2):
    net(x).pow(2).sum().backward()
print(st)
for k, v in st.grads.items():
    print(f"{k:>5}: " + ", ".join(f"{g:.4f}" for g in v))
[h.remove() for h in handles]
print(len(net.fc1._forward_hooks), net)
