# Backpropagation in numpy against autograd
import numpy as np
import torch

rng = np.random.RandomState(0)
x, y = rng.randn(5, 3), rng.randn(5, 1)
w1, w2 = rng.randn(3, 4), rng.randn(4, 1)
h = x.dot(w1)
h_relu = np.maximum(h, 0)
y_pred = h_relu.dot(w2)
loss = np.square(y_pred - y).sum()
grad_y_pred = 2.0 * (y_pred - y)
grad_w2 = h_relu.T.dot(grad_y_pred)
grad_h = grad_y_pred.dot(w2.T)
grad_h[h < 0] = 0
grad_w1 = x.T.dot(grad_h)

t1, t2 = torch.from_numpy(w1).requires_grad_(), torch.from_numpy(w2).requires_grad_()
out = torch.from_numpy(x).mm(t1).clamp(min=0).mm(t2)
tl = (out - torch.from_numpy(y)).pow(2).sum()
tl.backward()
print(round(loss, 6), round(tl.item(), 6))
print(np.allclose(grad_w1, t1.grad.numpy()), np.allclose(grad_w2, t2.grad))
print(np.abs(grad_w1).max().round(4))
