# What nodes saved for the backward pass
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x.pow(2)
print(y.grad_fn._saved_self.equal(x), y.grad_fn._saved_exponent)
z = y.exp()
print(z.grad_fn._saved_result)
s = z.sum(dim=0, keepdim=True)
print(s.grad_fn._saved_dim, s.grad_fn._saved_keepdim, s.grad_fn._saved_self_sym_sizes)
m = x.view(3, 1)
print(m.grad_fn._saved_self_sym_sizes)
s.backward()
try:
    z.grad_fn._saved_result
except RuntimeError as e:
    print(str(e)[:52])
