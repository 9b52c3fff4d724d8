"""What is saved inside allow_mutation_on_saved_tensors may be overwritten; the context tells what was."""

import torch
from torch.autograd.graph import allow_mutation_on_saved_tensors as amos, save_on_cpu, saved_tensors_hooks
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def basic():
    a = torch.ones(2, 3, requires_grad=True)
    with amos() as ctx:
        b = a.clone()
        out = (b ** 2).sum()
        b.sin_()
        out.sum().backward()
        r = a.grad
    return r, len(ctx.cloned), len(ctx.original)
t(basic)
def after():
    a = torch.ones(2, 3, requires_grad=True)
    with amos():
        b = a.clone()
        out = (b ** 2).sum()
        b.sin_()
    out.backward()
t(after)
def nohook():
    a = torch.ones(2, requires_grad=True)
    with amos():
        b = a.clone()
        out = (b ** 2).sum()
    out.backward()
    return a.grad
t(nohook)
def nest():
    with amos():
        with amos():
            pass
t(nest)
def inner():
    a = torch.ones(2, requires_grad=True)
    with amos():
        with saved_tensors_hooks(lambda x: x, lambda x: x):
            b = a.clone(); out = b ** 2; b.sin_(); out.sum().backward()
    return a.grad
t(inner)
def views():
    a = torch.ones(3, 3, requires_grad=True)
    with amos() as ctx:
        b = a.clone(); c = b[0]; out = c * c; b.mul_(2); out.sum().backward()
    return a.grad, len(ctx.cloned)
t(views)
def fill():
    a = torch.ones(2, requires_grad=True)
    with amos():
        b = a.clone(); c = b * b; b.fill_(0); b.zero_(); c.sum().backward()
    return a.grad
t(fill)
def outv():
    a = torch.ones(2, requires_grad=True)
    with amos():
        b = a.clone(); o = torch.exp(b); o.mul_(3); o.sum().backward()
    return a.grad
t(outv)
def twice():
    a = torch.ones(2, requires_grad=True)
    with amos() as ctx:
        b = a.clone(); c = b ** 2; b.sin_(); d = b ** 3; b.sin_(); (c + d).sum().backward()
    return a.grad, len(ctx.cloned)
t(twice)
def clear():
    a = torch.ones(2, requires_grad=True)
    with amos() as ctx:
        b = a.clone(); c = b ** 2; b.sin_(); ctx.clear()
        c.sum().backward()
    return a.grad
t(clear)
def lens(ctx): return len(ctx.cloned), len(ctx.original), len(ctx.tid_to_weakhandle)
def l1():
    a = torch.ones(2, 3, requires_grad=True)
    with amos() as ctx:
        r = [lens(ctx)]
        b = a.clone(); out = (b ** 2).sum(); r.append(lens(ctx))
        b.sin_(); r.append(lens(ctx))
        b.sin_(); r.append(lens(ctx))
        o2 = b * b; r.append(lens(ctx))
        out.backward(); r.append(lens(ctx))
        o3 = torch.exp(b); r.append(lens(ctx))
    r.append(lens(ctx))
    return r
t(l1)
def l2():
    a = torch.ones(3, requires_grad=True)
    with amos() as ctx:
        b = a.clone(); c = b ** 2; d = b ** 3; r = [lens(ctx)]
        v = b[0:2]; e = v * v; r.append(lens(ctx))
        v.mul_(2); r.append(lens(ctx))
        (c.sum() + d.sum() + e.sum()).backward(); r.append(lens(ctx))
    return r, a.grad
t(l2)
