# One graph, three backward calls
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
c = a * b
d = torch.tanh(c / 8)
for i in range(3):
    d.backward(retain_graph=i < 2)
    print(i, a.grad, b.grad)
try:
    d.backward()
except RuntimeError as error:
    print(type(error).__name__)
    print(str(error).splitlines()[0][:60])
