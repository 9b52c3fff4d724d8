# The slope of a parabola at several points, one backward each
import torch

def f(x):
    return 3 * x ** 2 - 2 * x + 5

for value in [-1.0, 0.0, 0.5, 2.0]:
    x = torch.tensor(value, requires_grad=True)
    y = f(x)
    y.backward()
    print(f"x = {value:5.1f}   f(x) = {y.item():6.2f}   f'(x) = {x.grad.item():6.2f}   by hand: {6 * value - 2:6.2f}")
print(y)
print(y.grad_fn)
