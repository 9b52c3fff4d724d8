# A second backward, and leaves that are changed
import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 2
y.backward(retain_graph=True)
y.backward()
print(x.grad)
x.grad.zero_()
print(x.grad); x.grad = None; print(x.grad)
x.requires_grad = False; print(x.requires_grad)
del x.grad
x.foo = 5; print(x.foo)
y.requires_grad = False
