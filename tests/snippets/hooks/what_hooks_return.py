# Hooks that return values, fail in gradcheck, or are always called
import torch


def c2():
    a = torch.ones(2, requires_grad=True)
    a.register_post_accumulate_grad_hook(lambda p: p.grad)
    try: a.sum().backward(); print('ok')
    except Exception as e: print(type(e).__name__, e)

c2()

def b12():
    x = torch.tensor([1., 2.], dtype=torch.double, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    def f(t):
        y = t * t
        y.register_hook(lambda g: g * 2)
        return y
    print(torch.autograd.gradcheck(f, x, raise_exception=False))
    def f2(t):
        y = t * t
        def h(g): raise RuntimeError('no')
        y.register_hook(h)
        return y
    try: print(torch.autograd.gradcheck(f2, x, raise_exception=False))
    except Exception as e: print(type(e).__name__, e)

b12()
