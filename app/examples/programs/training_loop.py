import torch

x = torch.tensor([1.0, 2.0, 3.0])
target = torch.tensor([3.0, 5.0, 7.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

for step in range(5):
    loss = ((w * x + b - target) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad.zero_()
    print(f"step {step}: loss {loss.item():.4f}, w {w.item():.3f}, b {b.item():.3f}")
