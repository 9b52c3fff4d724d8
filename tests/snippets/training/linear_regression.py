# Linear regression from scratch with broadcasting and no_grad
import torch

torch.manual_seed(42)
X = torch.randn(20, 2)
true_w, true_b = torch.tensor([2.0, -3.4]), 4.2
y = X @ true_w + true_b + 0.01 * torch.randn(20)
w = torch.zeros(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.3
for epoch in range(10):
    y_hat = X @ w + b
    loss = ((y_hat - y) ** 2 / 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    if epoch % 3 == 0:
        print(f"epoch {epoch + 1}, loss {float(loss):f}")
print("error in estimating w:", true_w - w.detach())
print("error in estimating b:", (true_b - b).abs().item() < 1)
