# Hooks with keyword arguments, prepend and always_call
import torch
import torch.nn as nn

class Scale(nn.Module):
    def forward(self, x, *, factor=1.0):
        return x * factor

m = Scale()
log = []
m.register_forward_pre_hook(lambda mod, args, kwargs: (args, {**kwargs, "factor": kwargs["factor"] * 2}), with_kwargs=True)
m.register_forward_hook(lambda mod, args, kwargs, out: log.append((sorted(kwargs), out.item())), with_kwargs=True)
m.register_forward_hook(lambda mod, args, out: log.append("first"), prepend=True)
x = torch.tensor(3.0, requires_grad=True)
y = m(x, factor=5.0)
y.backward()
print(y, x.grad, log)
