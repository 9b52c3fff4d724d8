# A parameter that is used in two places receives both gradients
import torch

w = torch.tensor(3.0, requires_grad=True)
a = w * 2
b = w ** 2
c = a + b
c.backward()
print("total ", w.grad)

w1 = torch.tensor(3.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
c = w1 * 2 + w2 ** 2
c.backward()
print("parts ", w1.grad, w2.grad, "sum", w1.grad + w2.grad)
print(w.grad.item() == (w1.grad + w2.grad).item())
