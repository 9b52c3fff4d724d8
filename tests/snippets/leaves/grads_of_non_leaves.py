# Reading .grad of what is no leaf warns at every line that does, and copying tensors with tensor factories, too
import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
print(y.grad)
print(y.grad)
for _ in range(3):
    print(y.grad)


def gradient(t):
    return t.grad


gradient(y)
gradient(x * 3)
z = x * 3
print(z.grad, torch.ones(2).grad)
a = torch.ones(2, requires_grad=True)
b = torch.tensor(a)
for _ in range(2):
    c = torch.tensor(a)
d = a.new_tensor(a)
e = a.new_tensor(a, requires_grad=True)
z.retain_grad()
print(z.grad)
