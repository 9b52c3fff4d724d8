# Decorators: timing-free tracing of calls, and staticmethods
import functools
import torch

def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        result = fn(*args, **kwargs)
        shapes = ", ".join(str(tuple(a.shape)) for a in args if isinstance(a, torch.Tensor))
        print(f"{fn.__name__}({shapes}{', ' if kwargs else ''}{kwargs or ''}) -> {tuple(result.shape)}")
        return result
    return wrapper

@traced
def layer(x, w, *, act=None):
    """One dense layer."""
    y = x @ w
    return act(y) if act else y

@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

w = torch.ones(2, 3, requires_grad=True)
out = layer(layer(torch.ones(1, 2), w), torch.ones(3, 1))
layer(torch.ones(4, 2), w)
out.backward()
print(w.grad, layer.__doc__, fib(30))
print(functools.reduce(lambda a, b: a * b, [w.sum(), w.mean(), 2]), functools.partial(max, 5)(3))
