# Homework: two-layer network with sigmoid by hand in matrices against autograd, several steps
import torch

torch.manual_seed(42)
n, d, h = 5, 3, 4
X = torch.rand(n, d)
y = (X.sum(dim=1, keepdim=True) > 1.5).float()
W1 = torch.randn(d, h); b1 = torch.zeros(1, h)
W2 = torch.randn(h, 1); b2 = torch.zeros(1, 1)

def sigmoid(v): return 1 / (1 + torch.exp(-v))

class Auto:
    def __init__(self):
        self.p = [t.clone().requires_grad_(True) for t in (W1, b1, W2, b2)]
    def step(self, lr):
        w1, c1, w2, c2 = self.p
        out = sigmoid(sigmoid(X @ w1 + c1) @ w2 + c2)
        loss = 0.5 * ((out - y) ** 2).sum() / n
        loss.backward()
        with torch.no_grad():
            for p in self.p:
                p -= lr * p.grad
        grads = [p.grad.clone() for p in self.p]
        for p in self.p:
            p.grad.zero_()
        return loss.item(), grads

auto = Auto()
for epoch in range(3):
    z1 = X @ W1 + b1; a1 = sigmoid(z1)
    z2 = a1 @ W2 + b2; a2 = sigmoid(z2)
    loss = 0.5 * ((a2 - y) ** 2).sum() / n
    d2 = (a2 - y) / n * a2 * (1 - a2)
    dW2, db2 = a1.T @ d2, d2.sum(0, keepdim=True)
    d1 = d2 @ W2.T * a1 * (1 - a1)
    dW1, db1 = X.T @ d1, d1.sum(0, keepdim=True)
    for p, g in zip((W1, b1, W2, b2), (dW1, db1, dW2, db2)):
        p -= 0.5 * g
    l, grads = auto.step(0.5)
    print(epoch, f"{loss:.6f} {l:.6f}", [torch.allclose(g, q, atol=1e-6) for g, q in zip(grads, (dW1, db1, dW2, db2))])
print(auto.p[0].grad.sum(), auto.p[2])
acc = ((sigmoid(sigmoid(X @ W1 + b1) @ W2 + b2) > 0.5) == y.bool()).float().mean()
print("accuracy: {:.0%}".format(acc.item()))
