# Ensembles by vmap over stacked parameters; functional_call with tied weights and strict keys
import copy
import torch
import torch.nn as nn
from torch.func import functional_call, grad, stack_module_state, vmap

torch.manual_seed(0)
models = [nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)) for _ in range(3)]
params, buffers = stack_module_state(models)
print({k: tuple(v.shape) for k, v in params.items()}, buffers, params["0.weight"].requires_grad, params["0.weight"].is_leaf)
base = copy.deepcopy(models[0])


def call(p, b, x):
    return functional_call(base, (p, b), (x,))


x = torch.randn(4, 2)
y = vmap(call, in_dims=(0, 0, None))(params, buffers, x).detach()
print(y.shape, torch.allclose(y, torch.stack([m(x) for m in models])))


def loss(p, x, t):
    return (functional_call(base, p, (x,)) - t).pow(2).mean()


g = vmap(grad(loss), in_dims=(0, None, None))(params, x, torch.ones(4, 1))
g = {k: v.detach() for k, v in g.items()}
print({k: tuple(v.shape) for k, v in g.items()}, g["2.bias"])


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, bias=False)
        self.b = nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight

    def forward(self, x, k=1):
        return self.b(self.a(x)) * k


tied = Tied()
one = torch.ones(1, 2)
print(functional_call(tied, {"a.weight": torch.eye(2)}, one), functional_call(tied, {"a.weight": torch.eye(2)}, one, {"k": 3}))
print(functional_call(tied, {"a.weight": torch.eye(2), "b.weight": 2 * torch.eye(2)}, one, tie_weights=False))
for f in (
    lambda: functional_call(tied, {"a.weight": torch.eye(2), "b.weight": 2 * torch.eye(2)}, one),
    lambda: functional_call(tied, {"c.weight": torch.eye(2)}, one),
    lambda: functional_call(base, {"0.weight": torch.zeros(3, 2)}, (x,), strict=True),
    lambda: functional_call(base, ({"0.bias": torch.zeros(3)}, {"0.bias": torch.zeros(3)}), x),
    lambda: functional_call(tied, {"a.weight": 3}, one),
    lambda: stack_module_state([]),
):
    try:
        f()
    except (RuntimeError, ValueError, AttributeError, TypeError) as e:
        print(type(e).__name__, e)
print(tied.a.weight is tied.b.weight)
