# Anomaly mode says which op's backward failed, whatever its error, and whether it knows the call
import torch
import warnings


class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 0 / (x * 0)


def told(f):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            f()
        except RuntimeError as err:
            print(str(err)[:60])
    for w in caught:
        print(w.category.__name__, str(w.message).split("\n")[0].split(" (Trig")[0])


def overwritten():
    y = x.clone()
    z = y**2
    y.add_(1)
    z.sum().backward()


def twice():
    s = (x**2).sum()
    s.backward()
    s.backward()


def subscript():
    h = torch.sigmoid(x)
    h[0] = 0
    h.sum().backward()


def hook(g):
    raise RuntimeError("from the hook")


def hooked():
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()


x = torch.ones(2, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    for f in overwritten, twice, subscript, hooked, lambda: Log.apply(x).sum().backward():
        told(f)
before = torch.sigmoid(x)
before.detach().zero_()
with torch.autograd.set_detect_anomaly(True):
    told(lambda: before.sum().backward())
told(overwritten)
