# Numbers of the program's own classes beside tensors
import enum

import torch


class F(float):
    pass


class I(int):
    pass


class T(enum.IntEnum):
    A = 1
    B = 2


x = torch.ones(2)
print(x * F(2), F(2) * x, x + F(1), x / F(2), x - F(1), F(1) - x, x ** F(2), F(2) ** x)
print(x * I(2), I(2) * x, x + I(1), x / I(2), x - I(1), x ** I(2), x // I(1))
n = torch.arange(3)
print(n * F(2), n * I(2), n + I(1), n * T.B, T.B * n, n == T.B, n[T.B], x * T.B)
print(torch.tensor([T.A, T.B]), torch.tensor(T.A), torch.full((2,), T.B), torch.tensor([F(1), F(2)]), torch.tensor(F(1)))
print(torch.tensor(I(1)), torch.tensor([I(1), 2]), torch.full((2,), F(2)), torch.full((2,), I(2)))
print(x.add(F(1)), torch.add(x, F(1), alpha=I(2)), torch.mul(x, F(3)), x.clamp(F(0), F(0.5)), x.pow(F(2)), x.lerp(x + 1, F(0.5)))
x += F(1)
x *= I(2)
print(x, x.fill_(F(3)), x.masked_fill(x > 2, F(1)), torch.where(x > 2, F(1), F(0)), x.new_full((2,), F(1)))
print(torch.arange(I(3)), torch.arange(F(0), F(1), F(0.5)), torch.linspace(F(0), F(1), I(3)), torch.zeros(I(2)), x.view(I(2), I(1)).shape, x.sum(I(0)))
x[0] = F(7)
print(x, x > F(3), x == I(3), x.unsqueeze(I(0)).shape, torch.as_tensor(F(1)), torch.scalar_tensor(F(1)))
print(torch.nn.functional.one_hot(torch.tensor([T.A, T.B]), num_classes=3), torch.nn.Linear(I(2), T.B))
w = torch.ones(2, requires_grad=True)
(w * F(2) + I(1)).sum().backward()
print(w.grad, w.grad.dtype)
optimizer = torch.optim.SGD([w], lr=F(0.1))
optimizer.step()
print(w)
