# The chain rule on a small network, written out and compared
import torch

x, t = torch.tensor(1.5), torch.tensor(0.2)
w1 = torch.tensor(0.8, requires_grad=True)
b1 = torch.tensor(-0.1, requires_grad=True)
w2 = torch.tensor(-1.2, requires_grad=True)
h = torch.sigmoid(w1 * x + b1)
o = w2 * h
loss = 0.5 * (o - t) ** 2
loss.backward()

with torch.no_grad():
    d_o = o - t
    d_w2 = d_o * h
    d_h = d_o * w2
    d_z = d_h * h * (1 - h)
    d_w1 = d_z * x
    d_b1 = d_z
for name, auto, hand in (("w1", w1.grad, d_w1), ("b1", b1.grad, d_b1), ("w2", w2.grad, d_w2)):
    print("{:>3}: autograd {:+.6f}  by hand {:+.6f}  equal: {}".format(name, auto, hand, torch.allclose(auto, hand)))
