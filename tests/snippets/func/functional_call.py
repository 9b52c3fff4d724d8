# functional_call runs a module with other parameters
import torch
import torch.nn as nn
from torch.func import functional_call, grad

torch.manual_seed(0)
model = nn.Linear(2, 1)
params = {k: v.detach().clone() for k, v in model.named_parameters()}

def loss_fn(params, x, y):
    return ((functional_call(model, params, (x,)) - y) ** 2).mean()

x, y = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0.0], [1.0]])
grads = grad(loss_fn)(params, x, y)
print({k: tuple(v.shape) for k, v in grads.items()})
new = {k: params[k] - 0.01 * grads[k] for k in params}
print(f"{loss_fn(params, x, y):.4f} -> {loss_fn(new, x, y):.4f}")
print(functional_call(model, {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, (x,)))
print(model.weight.grad)
