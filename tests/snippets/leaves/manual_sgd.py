# A hand-written update needs no_grad, and w = w - ... makes a new non-leaf
import torch

w = torch.tensor([1.0, 1.0], requires_grad=True)
loss = ((w - torch.tensor([3.0, -1.0])) ** 2).sum()
loss.backward()
print("grad", w.grad)
with torch.no_grad():
    w -= 0.1 * w.grad
print("in place:", w, w.is_leaf)
w.grad.zero_()
w2 = w - 0.1 * w.grad
print("out of place:", w2.is_leaf, w2.grad_fn)
w.data.sub_(0.5)
print("through .data:", w)
