# Updating parameters the wrong ways and the right way
import torch

def fresh():
    return torch.tensor([1.0, 2.0], requires_grad=True)

def attempt(tag, fn):
    w = fresh()
    (w ** 2).sum().backward()
    try:
        out = fn(w)
        out = w if out is None else out
        print(f"{tag:<14} ok   leaf={out.is_leaf} req={out.requires_grad} grad={None if not out.is_leaf or out.grad is None else out.grad.tolist()} {out.tolist()} v{out._version}")
    except Exception as e:
        print(f"{tag:<14} {type(e).__name__}: {e}")

def inplace(w): w -= 0.1 * w.grad
def rebinding(w):
    w = w - 0.1 * w.grad
    return w
def data(w): w.data -= 0.1 * w.grad
def data_sub(w): w.data.sub_(0.1 * w.grad.data)
def nograd(w):
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
def nograd_rebinding(w):
    with torch.no_grad():
        w = w - 0.1 * w.grad
    return w
def detach(w): w.detach().sub_(0.1 * w.grad)
def copy(w):
    with torch.no_grad():
        w.copy_(w - 0.1 * w.grad)
def set_data(w): w.data = w - 0.1 * w.grad
def grad_none(w): w.grad = None
def grad_wrong(w): w.grad = torch.ones(3)
def grad_dtype(w): w.grad = torch.ones(2, dtype=torch.float64)
def grad_int(w): w.grad = 1
def grad_self(w): w.grad = w
def item_write(w): w[0] = 5.0
def fill(w): w.fill_(0)
def del_grad(w): del w.grad
def requires_off(w):
    w.requires_grad = False
    w -= 0.1 * w.grad
    w.requires_grad = True
def inference(w):
    with torch.inference_mode():
        w -= 0.1 * w.grad
def by_index(w):
    with torch.no_grad():
        w[1] -= 0.1 * w.grad[1]
for f in (inplace, rebinding, data, data_sub, nograd, nograd_rebinding, detach, copy, set_data, grad_none, grad_wrong, grad_dtype, grad_int, grad_self, item_write, fill, del_grad, requires_off, inference, by_index):
    attempt(f.__name__, f)
