# Writing with index tensors: index_put_, scatter_add_, masked_scatter, accumulate
import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = torch.zeros(4)
out.index_put_((torch.tensor([0, 0, 2]),), w, accumulate=True)
print(out, out.grad_fn.name())
out.sum().backward()
print(w.grad)
w.grad = None
m = torch.zeros(2, 3)
m[:, [0, 2]] = w[:2].unsqueeze(1)
print(m)
m.pow(2).sum().backward()
print(w.grad)
t = torch.arange(6.0).view(2, 3)
t[t > 2] *= -1
t[0, :] += torch.tensor([10., 20., 30.])
t[:, -1].fill_(0)
print(t, t._version)
t.T[0] = 7
print(t)
