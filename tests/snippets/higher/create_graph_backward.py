# backward(create_graph=True), and the grad that has a graph
import torch
import warnings

x = torch.tensor(3.0, requires_grad=True)
y = x ** 3
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    y.backward(create_graph=True)
print(x.grad)
first = x.grad
x.grad = None
first.backward()
print(x.grad, "= 6x =", 6 * x.item())
