# while/else, for/else, match, walrus, conditional expressions
import torch

def describe(t):
    match t.dim():
        case 0:
            return "scalar"
        case 1 if t.numel() > 3:
            return "long vector"
        case 1:
            return "vector"
        case n:
            return f"{n}-d tensor"

print([describe(t) for t in (torch.tensor(1.), torch.ones(2), torch.ones(5), torch.ones(2, 2))])
x, n = torch.tensor(10.0, requires_grad=True), 0
while (loss := (x ** 2)) > 1:
    loss.backward()
    with torch.no_grad():
        x -= 0.3 * x.grad
        x.grad.zero_()
    n += 1
    if n == 10:
        break
else:
    print("converged", n, round(x.item(), 4))
for k in range(5):
    if k == 7:
        break
else:
    print("no break")
