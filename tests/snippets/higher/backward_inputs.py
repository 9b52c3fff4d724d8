# backward(inputs=...) fills only the named leaves
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
h = a * b
loss = h ** 2 + a
loss.backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
loss.backward(inputs=(b,), retain_graph=True)
print(a.grad, b.grad)
loss.backward(inputs=[h])
print(h.retains_grad, h.grad)
