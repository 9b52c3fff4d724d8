# Methods that are read and not called
import torch
import torch.nn as nn

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
for attempt in (
    lambda: x.sum + 1,
    lambda: x * x.mean,
    lambda: x.size[0],
    lambda: x.max().item + 1,
    lambda: x.sum.backward(),
    lambda: x.max.values,
    lambda: torch.relu(x.mean),
    lambda: torch.stack([x.sum, x.sum]),
    lambda: torch.tensor(x.sum),
    lambda: len(x.tolist),
    lambda: x.mean > 0,
    lambda: x.backward.foo,
    lambda: nn.Linear(2, 1).forward.weight,
    lambda: x.values,
    lambda: x.values(),
    lambda: x.indices(),
    lambda: getattr(x, "sum").shape,
    lambda: torch.max(x, 0) + 1,
):
    try:
        result = attempt()
        print(type(result).__name__, callable(result))
    except Exception as error:
        print(type(error).__name__, error)

total = x.sum
print(type(total).__name__, total == x.sum, total != x.mean, {total: 1}[x.sum], total.__name__)
print(total(), total(0), total(dim=1, keepdims=True), list(map(x.add, [1, 2]))[1])
try:
    total("a")
except TypeError as error:
    print(error)
total().backward()
print(x.grad)
