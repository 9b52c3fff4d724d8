# A function with a Python loop and a branch, differentiated where the branch went
import torch

def f(a):
    b = a * 2
    steps = 0
    while b.norm() < 1000:
        b = b * 2
        steps += 1
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c, steps

for start in (0.7, -0.3):
    a = torch.tensor(start, requires_grad=True)
    d, steps = f(a)
    d.backward()
    print(f"start {start}: {steps} doublings, d = {d.item():.2f}, grad = {a.grad}")
    print(a.grad == d / a)
