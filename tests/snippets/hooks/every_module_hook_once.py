# Every hook of a module in one run, prepended and with always_call
import torch
import torch.nn as nn

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
order = []
m.register_forward_pre_hook(lambda mod, args: order.append("pre"))
m.register_forward_pre_hook(lambda mod, args: order.append("pre-first"), prepend=True)
m.register_forward_hook(lambda mod, args, out: order.append("fwd"))
m.register_forward_hook(lambda mod, args, kwargs, out: order.append(f"fwd-kw {kwargs}"), with_kwargs=True)
m.register_full_backward_pre_hook(lambda mod, go: order.append("bwd-pre"))
m.register_full_backward_hook(lambda mod, gi, go: order.append(f"bwd {gi[0] is None} {go[0].shape}"))
m[0].register_full_backward_hook(lambda mod, gi, go: order.append("lin bwd " + str(gi[0])))
m[1].register_forward_hook(lambda mod, args, out: out * 0.5)
x = torch.ones(4, 2)
out = m(x)
out.sum().backward()
for o in order:
    print(o)
print(out.grad_fn, out)
print(m._forward_hooks.keys().__len__(), m[1]._forward_hooks)
for p in m.parameters():
    print(p.grad)
