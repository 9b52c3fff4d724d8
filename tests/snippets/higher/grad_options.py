# autograd.grad: allow_unused, materialize_grads, several outputs, grad_outputs
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0], requires_grad=True)
unused = torch.tensor(5.0, requires_grad=True)
a, b = x ** 2, x * y
print(torch.autograd.grad([a, b], [x, y], grad_outputs=[torch.ones(2), torch.tensor([10.0, 1.0])], retain_graph=True))
print(torch.autograd.grad(a.sum(), [x, unused], allow_unused=True, retain_graph=True))
print(torch.autograd.grad(a.sum(), [x, unused], materialize_grads=True, retain_graph=True))
try:
    torch.autograd.grad(a.sum(), [x, unused])
except RuntimeError as e:
    print(e)
print(x.grad, y.grad)
