# A symmetric weight, an orthogonal one, assigning to them, caching, and taking the parametrization away again
import copy
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils.parametrizations import orthogonal


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

    def right_inverse(self, A):
        return A.triu()


class Scale(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = nn.Parameter(torch.tensor(by))

    def forward(self, X):
        return self.by * X

    def extra_repr(self):
        return f"by={self.by.item():.1f}"


torch.manual_seed(0)
layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
parametrize.register_parametrization(layer, "weight", Scale(2.0))
print(layer)
print(type(layer), isinstance(layer, nn.Linear), parametrize.is_parametrized(layer), parametrize.is_parametrized(layer, "bias"))
print(torch.equal(layer.weight, layer.weight.T), layer.weight.grad_fn)
print([n for n, _ in layer.named_parameters()], list(layer.state_dict()))
y = layer(torch.ones(1, 3))
y.sum().backward()
print(layer.parametrizations.weight.original.grad, layer.parametrizations["weight"][1].by.grad)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
optimizer.step()
print(layer.weight)
with parametrize.cached():
    print(layer.weight is layer.weight)
print(layer.weight is layer.weight)
plain = parametrize.remove_parametrizations(copy.deepcopy(layer), "weight")
print(plain, type(plain).__name__, plain.weight, type(layer).__name__)

other = nn.Linear(2, 2)
parametrize.register_parametrization(other, "weight", Symmetric())
other.weight = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
print(other.weight, other.parametrizations.weight.original)
parametrize.remove_parametrizations(other, "weight", leave_parametrized=False)
print(other.weight)

for name in (None, "matrix_exp", "cayley", "householder"):
    torch.manual_seed(1)
    q = orthogonal(nn.Linear(3, 3), orthogonal_map=name)
    print(name, (q.weight @ q.weight.T - torch.eye(3)).abs().max() < 1e-5, q.weight.grad_fn)
    q(torch.tensor([[1.0, 2.0, 3.0]])).pow(2).sum().backward()
    print(q.parametrizations.weight.original.grad)
    torch.optim.SGD(q.parameters(), lr=0.1).step()
    print((q.weight.T @ q.weight - torch.eye(3)).abs().max() < 1e-5)
tall = orthogonal(nn.Linear(2, 4))
print((tall.weight.T @ tall.weight - torch.eye(2)).abs().max() < 1e-5, list(tall.state_dict()))
for f in (
    lambda: parametrize.register_parametrization(nn.Linear(2, 2), "w", Symmetric()),
    lambda: parametrize.register_parametrization(nn.Linear(2, 3), "weight", nn.Flatten(0)),
    lambda: setattr(parametrize.register_parametrization(nn.Linear(2, 2), "weight", Scale(1.0)), "weight", torch.eye(2)),
    lambda: orthogonal(nn.LayerNorm(2)),
    lambda: parametrize.remove_parametrizations(nn.Linear(1, 1), "weight"),
):
    try:
        f()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
