# Rosenblatt's perceptron with sign, and why it has no useful gradient
import torch

X = torch.tensor([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]])
y = torch.tensor([1.0, 1.0, -1.0, -1.0])
w, b = torch.zeros(2), torch.zeros(1)
for epoch in range(3):
    errors = 0
    for xi, yi in zip(X, y):
        if yi * (w @ xi + b) <= 0:
            w += yi * xi
            b += yi
            errors += 1
    print(f"epoch {epoch}: {errors} errors, w = {w.tolist()}, b = {b.item()}")
w = w.clone().requires_grad_()
torch.sign(X @ w + b).sum().backward()
print(w.grad)
w.grad = None
torch.relu(-y * (X @ w + b)).mean().backward()
print(w.grad)
