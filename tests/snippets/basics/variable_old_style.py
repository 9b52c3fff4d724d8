# Old tutorials: Variable, volatile-free code, .data, zero_ on grads
import torch
from torch.autograd import Variable
import torch.nn.functional as F
dtype = torch.FloatTensor
torch.manual_seed(0)
N, D_in, H, D_out = 4, 3, 5, 2
x = Variable(torch.randn(N, D_in).type(dtype), requires_grad=False)
y = Variable(torch.randn(N, D_out).type(dtype), requires_grad=False)
w1 = Variable(torch.randn(D_in, H).type(dtype), requires_grad=True)
w2 = Variable(torch.randn(H, D_out).type(dtype), requires_grad=True)
for t in range(3):
    y_pred = x.mm(w1).clamp(min=0).mm(w2)
    loss = (y_pred - y).pow(2).sum()
    print(t, loss.data, loss.item())
    loss.backward()
    w1.data -= 1e-2 * w1.grad.data
    w2.data -= 1e-2 * w2.grad.data
    w1.grad.data.zero_()
    w2.grad.data.zero_()
print(type(w1), isinstance(w1, Variable), w1.is_leaf, w1.grad.sum())
v = Variable(torch.Tensor([2]), requires_grad=True)
o = v * v * 3
o.backward()
print(v.grad, v.grad.data, o.creator if hasattr(o, "creator") else o.grad_fn)
try:
    print(o.data[0], loss.data[0])
except IndexError as e:
    print(e)
