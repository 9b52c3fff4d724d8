# SGD with momentum and Nesterov against the formula
import torch

def run(**kwargs):
    w = torch.tensor([5.0], requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1, **kwargs)
    path = []
    for _ in range(4):
        opt.zero_grad()
        (w ** 2).sum().backward()
        opt.step()
        path.append(round(w.item(), 4))
    return path

print("plain   ", run())
print("momentum", run(momentum=0.9))
print("nesterov", run(momentum=0.9, nesterov=True))
print("decay   ", run(weight_decay=0.5))
print("damped  ", run(momentum=0.9, dampening=0.5))
print("maximize", run(maximize=True))
w, v = 5.0, 0.0
for _ in range(4):
    v = 0.9 * v + 2 * w
    w -= 0.1 * v
    print(round(w, 4), end=" ")
print()
