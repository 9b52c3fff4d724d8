# CS231n: two layer net and batch norm by hand, numeric gradients, relative errors, with numpy
import numpy as np
import torch

np.random.seed(231)

def affine_forward(x, w, b):
    out = x.reshape(x.shape[0], -1).dot(w) + b
    return out, (x, w, b)

def affine_backward(dout, cache):
    x, w, b = cache
    dx = dout.dot(w.T).reshape(x.shape)
    dw = x.reshape(x.shape[0], -1).T.dot(dout)
    db = np.sum(dout, axis=0)
    return dx, dw, db

def relu_forward(x):
    return np.maximum(0, x), x

def relu_backward(dout, cache):
    return dout * (cache > 0)

def softmax_loss(x, y):
    shifted = x - np.max(x, axis=1, keepdims=True)
    Z = np.sum(np.exp(shifted), axis=1, keepdims=True)
    log_probs = shifted - np.log(Z)
    probs = np.exp(log_probs)
    N = x.shape[0]
    loss = -np.sum(log_probs[np.arange(N), y]) / N
    dx = probs.copy()
    dx[np.arange(N), y] -= 1
    dx /= N
    return loss, dx

def rel_error(x, y):
    return np.max(np.abs(x - y) / (np.maximum(1e-8, np.abs(x) + np.abs(y))))

def eval_numerical_gradient(f, x, h=1e-5):
    grad = np.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            old = x[i, j]
            x[i, j] = old + h
            pos = f(x)
            x[i, j] = old - h
            neg = f(x)
            x[i, j] = old
            grad[i, j] = (pos - neg) / (2 * h)
    return grad

N, D, H, C = 3, 4, 5, 3
X = np.random.randn(N, D)
y = np.random.randint(C, size=N)
W1, b1 = 0.5 * np.random.randn(D, H), np.zeros(H)
W2, b2 = 0.5 * np.random.randn(H, C), np.zeros(C)
def loss_only(_):
    a, _c = affine_forward(X, W1, b1)
    r, _c = relu_forward(a)
    s, _c = affine_forward(r, W2, b2)
    return softmax_loss(s, y)[0]
a, ca = affine_forward(X, W1, b1)
r, cr = relu_forward(a)
s, cs = affine_forward(r, W2, b2)
loss, ds = softmax_loss(s, y)
dr, dW2, db2 = affine_backward(ds, cs)
dX, dW1, db1 = affine_backward(relu_backward(dr, cr), ca)
print('loss: %f' % loss, y, X.dtype, X.shape)
for name, p, g in (("W1", W1, dW1), ("W2", W2, dW2)):
    num = eval_numerical_gradient(loss_only, p)
    print('%s max relative error: %s' % (name, rel_error(num, g) < 1e-6))
tX = torch.from_numpy(X)
tW1, tb1, tW2, tb2 = [torch.tensor(v, requires_grad=True) for v in (W1, b1, W2, b2)]
tl = torch.nn.functional.cross_entropy(torch.relu(tX @ tW1 + tb1) @ tW2 + tb2, torch.from_numpy(y))
tl.backward()
print(np.allclose(tW1.grad.numpy(), dW1), np.allclose(tb2.grad.numpy(), db2), abs(tl.item() - loss) < 1e-12)
print(np.round(dW2, 4))
print(dX.mean(), dX.std(), np.linalg.norm(dW1))
for a_ in np.linspace(0, 1, 3):
    print("%.2e" % a_, f"{a_:8.3f}")
