# Softmax regression from scratch: own cross entropy, own SGD
import torch

def softmax(X):
    X_exp = torch.exp(X)
    partition = X_exp.sum(1, keepdim=True)
    return X_exp / partition

def cross_entropy(y_hat, y):
    return -torch.log(y_hat[range(len(y_hat)), y])

def sgd(params, lr, batch_size):
    with torch.no_grad():
        for param in params:
            param -= lr * param.grad / batch_size
            param.grad.zero_()

torch.manual_seed(0)
W = torch.normal(0, 0.01, size=(4, 3), requires_grad=True)
b = torch.zeros(3, requires_grad=True)
X = torch.randn(9, 4)
y = X[:, :3].argmax(dim=1)
for epoch in range(4):
    y_hat = softmax(X @ W + b)
    l = cross_entropy(y_hat, y)
    l.sum().backward()
    sgd([W, b], 0.5, len(X))
    print(f'epoch {epoch + 1} loss {l.mean():.4f} acc {(y_hat.argmax(axis=1) == y).type(y.dtype).sum() / len(y):.3f}')
print(y_hat[:2].detach(), y_hat.sum(1).detach())
