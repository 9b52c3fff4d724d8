# Where a sum of products has one summand, minus zero is left; where zero is added to it, it is not
import torch

for inner in (1, 2):
    for rows, columns in ((1, 1), (2, 2), (1, 3), (3, 1), (5, 4)):
        a, b = -torch.ones(rows, inner), torch.zeros(inner, columns)
        results = [
            a @ b,
            a @ torch.zeros(columns, inner).t(),
            torch.addmm(torch.zeros(columns), a, b),
            -torch.ones(inner, rows).t() @ b,
        ]
        print(inner, rows, columns, [bool(torch.signbit(r).any()) for r in results])
    print(torch.signbit(-torch.ones(inner) @ torch.zeros(inner)), torch.signbit(-torch.ones(2, inner) @ torch.zeros(inner)))
    print(torch.signbit(torch.bmm(-torch.ones(2, 2, inner), torch.zeros(2, inner, 2))).any())

# the gradient of a layer's weight for one sample, where some units are dead
torch.manual_seed(0)
layer = torch.nn.Linear(3, 4)
x = torch.tensor([[1.0, -2.0, 3.0]], requires_grad=True)
torch.relu(layer(x)).sum().backward()
print(torch.signbit(layer.weight.grad), torch.signbit(x.grad))
print(torch.signbit(layer.bias.grad).any(), (layer.weight.grad == 0).all(1))
