# Closures, generators and itertools around a training loop
import itertools
import torch

def counter(start=0):
    count = start
    def step(by=1):
        nonlocal count
        count += by
        return count
    return step

def descend(f, x, lr):
    while True:
        y = f(x)
        g, = torch.autograd.grad(y, x)
        yield y.item(), x.detach()
        x = (x - lr * g).detach().requires_grad_()

tick = counter(10)
path = descend(lambda x: (x - 2) ** 2, torch.tensor(0.0, requires_grad=True), 0.25)
for loss, x in itertools.islice(path, 4):
    print(tick(), f"{loss:.4f}", x)
grid = list(itertools.product([0.1, 0.01], ["sgd", "adam"]))
print(grid, tick(by=5))
first = next(v for v, _ in path if v < 1e-3)
print(first < 1e-3)
