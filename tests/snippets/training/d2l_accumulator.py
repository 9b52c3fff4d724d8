# d2l: softmax regression with Accumulator, accuracy and evaluate_accuracy
import torch
from torch import nn

class Accumulator:
    """For accumulating sums over `n` variables."""
    def __init__(self, n):
        self.data = [0.0] * n
    def add(self, *args):
        self.data = [a + float(b) for a, b in zip(self.data, args)]
    def reset(self):
        self.data = [0.0] * len(self.data)
    def __getitem__(self, idx):
        return self.data[idx]

def accuracy(y_hat, y):
    if len(y_hat.shape) > 1 and y_hat.shape[1] > 1:
        y_hat = y_hat.argmax(axis=1)
    cmp = y_hat.type(y.dtype) == y
    return float(cmp.type(y.dtype).sum())

def evaluate_accuracy(net, data_iter):
    if isinstance(net, torch.nn.Module):
        net.eval()
    metric = Accumulator(2)
    with torch.no_grad():
        for X, y in data_iter:
            metric.add(accuracy(net(X), y), y.numel())
    return metric[0] / metric[1]

def softmax(X):
    X_exp = torch.exp(X)
    partition = X_exp.sum(1, keepdim=True)
    return X_exp / partition

def cross_entropy(y_hat, y):
    return - torch.log(y_hat[range(len(y_hat)), y])

torch.manual_seed(3)
num_inputs, num_outputs = 6, 3
W = torch.normal(0, 0.01, size=(num_inputs, num_outputs), requires_grad=True)
b = torch.zeros(num_outputs, requires_grad=True)
net = lambda X: softmax(torch.matmul(X.reshape((-1, W.shape[0])), W) + b)
y = torch.tensor([0, 2])
y_hat = torch.tensor([[0.1, 0.3, 0.6], [0.3, 0.2, 0.5]])
print(y_hat[[0, 1], y], cross_entropy(y_hat, y), accuracy(y_hat, y) / len(y))
batches = [(torch.randn(4, 1, 2, 3), torch.randint(0, 3, (4,))) for _ in range(3)]
print(evaluate_accuracy(net, batches))
for epoch in range(2):
    metric = Accumulator(3)
    for X, y in batches:
        l = cross_entropy(net(X), y)
        l.sum().backward()
        with torch.no_grad():
            for p in (W, b):
                p -= 0.5 * p.grad / len(y)
                p.grad.zero_()
        metric.add(float(l.sum()), accuracy(net(X), y), y.numel())
    print(f'{metric[0] / metric[2]:.3f} {metric[1] / metric[2]:.3f}')
X = torch.arange(20, dtype=torch.float32).reshape(5, 4)
print(X.sum(axis=0), X.mean(axis=[0, 1]), X.cumsum(axis=0)[-1], X.numel())
A = X.clone(); B = X
before = id(B); B = B + X; print(id(B) == before)
Z = torch.zeros_like(A); idz = id(Z); Z[:] = A + X; print(id(Z) == idz)
X += A; print(torch.norm(torch.ones((4, 9))), torch.abs(torch.tensor([3., -4.])).sum())
x = torch.arange(4.0); x.requires_grad_(True); print(x.grad)
y = 2 * torch.dot(x, x); y.backward(); print(x.grad == 4 * x)
x.grad.zero_(); y = x * x; u = y.detach(); z = u * x; z.sum().backward(); print(x.grad == u)
x.grad.zero_(); y.sum().backward(); print(x.grad == 2 * x)
def f(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c
a = torch.randn(size=(), requires_grad=True)
d = f(a); d.backward(); print(a.grad == d / a)
