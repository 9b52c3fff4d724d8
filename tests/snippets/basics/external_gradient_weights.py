# backward with a gradient argument is a weighted sum
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 3
weights = torch.tensor([1.0, 0.1, 0.01])
y.backward(weights)
print(x.grad)
again = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(again ** 3 * weights).sum().backward()
print(again.grad)
print(torch.equal(x.grad, again.grad))
