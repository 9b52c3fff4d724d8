# Every kind of hook on one small network, in the order they fire
import torch
import torch.nn as nn
from collections import OrderedDict

log = []
torch.manual_seed(0)
net = nn.Sequential(OrderedDict([("fc1", nn.Linear(2, 3)), ("act", nn.Sigmoid()), ("fc2", nn.Linear(3, 1))]))
handles = []
for name, m in net.named_modules():
    tag = name or "root"
    handles.append(m.register_forward_pre_hook(lambda mod, inp, tag=tag: log.append(f"pre {tag}")))
    handles.append(m.register_forward_hook(lambda mod, inp, out, tag=tag: log.append(f"fwd {tag}")))
    handles.append(m.register_full_backward_pre_hook(lambda mod, go, tag=tag: log.append(f"bpre {tag}")))
    handles.append(m.register_full_backward_hook(lambda mod, gi, go, tag=tag: log.append(f"bwd {tag} {[None if g is None else tuple(g.shape) for g in gi]}")))
for name, p in net.named_parameters():
    p.register_hook(lambda g, name=name: log.append(f"grad {name}"))
    p.register_post_accumulate_grad_hook(lambda p, name=name: log.append(f"acc {name} {p.grad.shape}"))
x = torch.randn(4, 2, requires_grad=True)
y = net(x)
y.register_hook(lambda g: log.append("grad y"))
y.grad_fn.register_prehook(lambda go: log.append("node pre"))
y.grad_fn.register_hook(lambda gi, go: log.append(f"node post {len(gi)}"))
y.retain_grad()
loss = y.mean()
log.append("-- backward")
loss.backward()
print("\n".join(log))
print(y.grad.flatten(), x.grad.shape)
for h in handles:
    h.remove()
log.clear()
net(x)
print(log)
print(y.grad_fn)
node = y.grad_fn
while node is not None:
    print(type(node).__name__, [n[1] for n in node.next_functions])
    node = next((f for f, _ in node.next_functions if f is not None and f.next_functions), None)
