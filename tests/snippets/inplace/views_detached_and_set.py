# Views that are written to, detached, set to other memory
import torch


def a3():
    a = torch.tensor([1+2j, 3-1j], requires_grad=True)
    c = a * 1
    b = torch.view_as_real(c)
    b.transpose_(0, 1)
    b += 1
    b.backward(torch.arange(4.).reshape(2, 2))
    print(a.grad)

a3()

def a4():
    v = torch.zeros(2, 2, dtype=torch.bool)
    h = torch.ones(2, dtype=torch.half, requires_grad=True)
    v[0] = h
    print(v.requires_grad, v.grad_fn)
    from torch.nn.utils.rnn import pad_sequence
    p = pad_sequence([torch.tensor([1, 2]), torch.tensor([1., 2., 3.], requires_grad=True)])
    print(p.requires_grad, p.dtype)

a4()

def b1():
    a = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        b = a[:]
        b *= 2
    try:
        print(b)
    except Exception as e: print(type(e), e)

b1()

def b2():
    y = torch.ones(2, requires_grad=True) * 1
    try:
        y.split([1, 1])[1].fill_(3)
        print(y)
    except Exception as e: print(type(e).__name__, e)

b2()

def b4():
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.clone()
            v = y.view(-1)
            return v
        @staticmethod
        def backward(ctx, g):
            return g * 2
    x = torch.ones(2, 2, requires_grad=True)
    y = F.apply(x)
    try:
        y.mul_(3)
        print(y)
        y.sum().backward(); print(x.grad)
    except Exception as e: print(type(e).__name__, e)

b4()

def b6():
    y = torch.tensor([0., 1.], requires_grad=True)
    try:
        print(y.logical_not_())
    except Exception as e: print(type(e).__name__, e)

b6()

def c1():
    a = torch.ones(2, requires_grad=True)
    b = a.sin()
    b.detach_()
    try: b.sum().backward(); print('ok')
    except Exception as e: print(type(e).__name__, e)
    b = a.sin()
    b.detach_()
    try: b.backward(torch.ones(2)); print('ok')
    except Exception as e: print(type(e).__name__, e)

c1()

def c3():
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    with torch.no_grad():
        x.set_(torch.zeros(2))
    try: print(torch.autograd.grad(y, x))
    except Exception as e: print(type(e).__name__, e)

c3()
