# Data made with numpy, trained with torch
import numpy as np
import torch

np.random.seed(0)
X = np.random.rand(16, 1).astype(np.float32)
y = (3 * X + 2 + 0.1 * np.random.randn(16, 1)).astype(np.float32)
print(X.mean(), y.shape, y.dtype)
inputs, targets = torch.from_numpy(X), torch.from_numpy(y)
w, b = torch.zeros(1, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.5)
losses = []
for _ in range(6):
    loss = torch.nn.functional.mse_loss(inputs @ w + b, targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
print(np.round(np.array(losses), 4))
print("w = %.3f, b = %.3f" % (w.item(), b.item()), np.argmin(losses))
