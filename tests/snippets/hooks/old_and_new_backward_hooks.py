# register_backward_hook against register_full_backward_hook and full_backward_pre_hook
import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.Linear(2, 1)
layer.register_full_backward_pre_hook(lambda m, g: print("pre ", [tuple(t.shape) for t in g]))
layer.register_full_backward_hook(lambda m, gi, go: print("full", [t if t is None else tuple(t.shape) for t in gi], [tuple(t.shape) for t in go]))
layer(torch.ones(3, 2)).sum().backward()
layer(torch.ones(3, 2, requires_grad=True)).sum().backward()
act = nn.Tanh()
act.register_backward_hook(lambda m, gi, go: print("old ", gi, go))
act(torch.zeros(1, requires_grad=True)).backward()
try:
    act.register_full_backward_hook(lambda *a: None)
except RuntimeError as e:
    print(e)
