# math functions, tensors in Python's operators, comparisons and logic
import math
import torch

x = torch.tensor([0.0, math.pi / 6, math.pi / 2], requires_grad=True)
print(torch.sin(x), math.sin(math.pi / 6), math.sqrt(2), math.e ** 2, math.log(10), math.floor(-1.5), math.inf > 1)
y = 2 ** x + x ** 2 - 1 / (x + 1) + (-x) * 3 + (5 - x) + x.detach() // 1 + x % 0.4
print(y)
y.sum().backward()
print(x.grad)
m = torch.tensor([True, False, True])
print(m & (x > 0), m | ~m, m ^ True, (x >= 0.5) == m, torch.logical_and(m, x < 1), x != x.detach())
print(10 > torch.tensor(3), torch.tensor(7) // 2, torch.tensor(-7) // 2, torch.tensor(7) / 2, -torch.tensor(7) % 3, torch.tensor(2) ** 3)
print(torch.tensor(6) & 3, torch.tensor(1) << 4, ~torch.tensor(0), torch.tensor(5.7).int(), torch.tensor(3.5).round(), torch.tensor(2.5).round())
print(math.isclose(x.detach()[1], 0.5235987), float("nan") == float("nan"), torch.pi, torch.inf, math.factorial(5), math.comb(5, 2))
