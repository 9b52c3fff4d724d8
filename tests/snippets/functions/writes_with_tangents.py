"""Writes through and under views that carry tangents, in forward mode."""

import torch
import torch.autograd.forward_ad as fwAD
def t(f):
    try: print(f.__name__, f())
    except Exception as e: print(f.__name__, type(e).__name__, str(e)[:300])
T=lambda x: fwAD.unpack_dual(x).tangent
def a():
    with fwAD.dual_level():
        p=torch.ones(3); d=fwAD.make_dual(p, torch.arange(3.)); d.mul_(2); return T(d), d
def b():
    with fwAD.dual_level():
        d=fwAD.make_dual(torch.ones(2,3), torch.arange(6.).view(2,3)); r=d.t(); r.mul_(2); return T(d), T(r), T(d[1])
def c():
    with fwAD.dual_level():
        x=torch.zeros(2,2); d=fwAD.make_dual(torch.ones(2), torch.tensor([3.,4.])); x[:,1]=d; return x, T(x), T(x*2), T(x[0])
def e():
    with fwAD.dual_level():
        x=torch.zeros(4); d=fwAD.make_dual(torch.ones(4), torch.arange(4.)); x.copy_(d); v=x[1:3]; v.zero_(); return T(x), T(v), (x*x).sum()
def f():
    w=torch.ones(3, requires_grad=True)
    with fwAD.dual_level():
        d=fwAD.make_dual(w, torch.arange(3.)*w); x=torch.zeros(2,3); x[0]=d; y=(x*torch.tensor([1.,2.,3.])).sum(); tt=T(y); return tt, tt.requires_grad
def g():
    with fwAD.dual_level():
        x=torch.zeros(4); d=fwAD.make_dual(torch.ones(4), torch.arange(4.)); v=x.view(2,2); w=x[0:2]; v.add_(d.view(2,2)); return T(x), T(w), T(v)
def h():
    with fwAD.dual_level():
        d=fwAD.make_dual(torch.ones(4), torch.arange(4.)); a,b=d.chunk(2); 
        a.mul_(5); return T(d), T(b)
def i():
    with fwAD.dual_level():
        d=fwAD.make_dual(torch.ones(4), torch.arange(4.)); e=d.clone(); e.exp_(); e[0]=0.; return T(e), T(d)
def dualdual():
    with fwAD.dual_level():
        x=fwAD.make_dual(torch.ones(2), torch.ones(2)); y=torch.ones(2)
        return fwAD.make_dual(y, x)
def view():
    with fwAD.dual_level():
        b=torch.zeros(3,3); v=b[0]; d=fwAD.make_dual(torch.ones(3), torch.full((3,),2.))
        v.copy_(d); return fwAD.unpack_dual(b).tangent, fwAD.unpack_dual(v)
def view2():
    with fwAD.dual_level():
        b=fwAD.make_dual(torch.ones(3,3), torch.ones(3,3)); v=b[0]; v.mul_(3); return fwAD.unpack_dual(b)
def view3():
    with fwAD.dual_level():
        b=torch.ones(4); v=b.view(2,2); d=fwAD.make_dual(torch.ones(4), torch.arange(4.)); b.mul_(d); return fwAD.unpack_dual(v)
def view4():
    with fwAD.dual_level():
        b=fwAD.make_dual(torch.ones(4), torch.arange(4.)); v=b.view(2,2); b.mul_(2); return fwAD.unpack_dual(v), v._is_view()
def view5():
    with fwAD.dual_level():
        b=torch.ones(2,2); v=b.detach(); d=fwAD.make_dual(torch.ones(2,2), torch.ones(2,2)); v.add_(d); return fwAD.unpack_dual(b), fwAD.unpack_dual(v).tangent
for x in (a, b, c, e, f, g, h, i, dualdual, view, view2, view3, view4, view5): t(x)
