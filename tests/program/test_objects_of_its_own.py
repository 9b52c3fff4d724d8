"""Wherever a program puts objects of its own in place of what Python has there, it gets a document."""

from __future__ import annotations

import json

import pytest

import engine

PROGRAMS = {
    "str with a length below zero": """
class S(str):
    def __len__(s): return -1
    def encode(s,*a): return b'x'
class E(Exception):
    def __str__(s): return S('a')
raise E
""",
    "a class that raises": """
class E(Exception):
    def __str__(s): raise s
    @property
    def __class__(s): raise s
raise E
""",
    "class raises of a value error": """
class E(ValueError):
    @property
    def __class__(s): raise KeyboardInterrupt
raise E('x')
""",
    "an exit code that raises": """
class E(SystemExit):
    code=property(lambda s: 1/0)
raise E(3)
""",
    "an exit code that compares": """
class C:
    def __eq__(s,o): 1/0
raise SystemExit(C())
""",
    "a traceback that raises": """
class E(Exception):
    __traceback__=property(lambda s: 1/0)
raise E
""",
    "attributes that raise": """
class E(Exception):
    def __getattribute__(s,n): raise SystemExit
raise E
""",
    "a class without a name": """
class M(type):
    __name__=property(lambda c: 1/0)
    __mro__=property(lambda c: 1/0)
    __module__=property(lambda c: 1/0)
    def __getattribute__(c,n): raise SystemExit
class E(Exception,metaclass=M): pass
raise E
""",
    "import name": """
class E(ImportError):
    name=property(lambda s: 1/0)
    msg=property(lambda s: 1/0)
    def __getattr__(s,n): 1/0
raise E('x')
""",
    "attribute obj": """
class E(AttributeError):
    obj=property(lambda s: 1/0)
    name=property(lambda s: 1/0)
raise E('x')
""",
    "syntax lineno": """
raise SyntaxError('x',('f','a',object(),[]))
""",
    "name of class": """
E=type('E\\ud800\\0'*99,(Exception,),{})
raise E
""",
    "a warning": """
import warnings
class S(str):
    def __len__(s): return -1
class W(UserWarning):
    def __str__(s): return S('x')
warnings.warn(W())
""",
    "what is printed": """
class S(str):
    def __len__(s): return -1
    def __str__(s): return s
print(S('abc'))
""",
    "a key": """
class S(str):
    def __len__(s): return -1
    def __getitem__(s,i): 1/0
name=S('w')
import torch
d={S('k'):torch.ones(1,requires_grad=True)}
d[S('k')].sum().backward()
""",
    "module name": """
import torch
class S(str):
    def __len__(s): 1/0
class M(torch.nn.Module):
    pass
M.__name__=S('M')
M.__qualname__=S('M')
m=M()
m.w=torch.nn.Parameter(torch.ones(1))
m.w.sum().backward()
print(m)
""",
    "function name": """
import torch
class S(str):
    def __len__(s): 1/0
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): return x*2
    @staticmethod
    def backward(ctx,g): return g*2
F.__name__=S('F')
F.apply(torch.ones(1,requires_grad=True)).backward()
""",
    "a class of modules without a name": """
import torch
class M(type):
    __name__=property(lambda c: 1/0)
class Net(torch.nn.Module,metaclass=M):
    def __init__(s):
        super().__init__()
        s.layer=torch.nn.Linear(2,1)
    def forward(s,x): return s.layer(x)
net=Net()
torch.optim.SGD(net.parameters(),lr=0.1)
net.layer(torch.ones(1,2)).sum().backward()
print({net:1})
""",
    "a class of optimizers without a name": """
import torch
class M(type):
    seen=0
    @property
    def __name__(c):
        M.seen+=1
        if M.seen>9: raise SystemExit
        return 'SGD'
class Opt(torch.optim.SGD,metaclass=M): pass
w=torch.ones(2,requires_grad=True)
opt=Opt([w],lr=0.1)
for _ in range(3):
    opt.zero_grad()
    (w*w).sum().backward()
    opt.step()
""",
    "a class of values without a name": """
class M(type):
    __name__=property(lambda c: 1/0)
class Value(metaclass=M):
    def __init__(s,data,children=()):
        s.data,s.grad,s.children=data,0.,children
        s.back=lambda: None
    def __mul__(s,o):
        out=Value(s.data*o.data,(s,o))
        def back():
            s.grad+=o.data*out.grad
            o.grad+=s.data*out.grad
        out.back=back
        return out
a,b=Value(2.),Value(3.)
c=a*b
c.grad=1.
c.back()
print(a.grad)
""",
    "attribute of evil metaclass": """
class M(type):
    __name__=property(lambda c: 1/0)
class A(metaclass=M): pass
A().x
""",
    "tensor subclass name": """
import torch
class M(type(torch.Tensor)):
    __name__=property(lambda c: 1/0)
class T(torch.Tensor,metaclass=M): pass
x=T([1.]).requires_grad_() if 0 else torch.ones(1,requires_grad=True).as_subclass(T)
(x*x).sum().backward()
""",
    "param names": """
import torch
class S(str):
    def __len__(s): 1/0
    def __format__(s,f): 1/0
    def __str__(s): 1/0
    def __eq__(s,o): 1/0
    __hash__=str.__hash__
m=torch.nn.Module()
m._parameters[S('w')]=torch.nn.Parameter(torch.ones(1))
for p in m.parameters(): (p*p).sum().backward()
""",
    "globals key": """
class S(str):
    def __len__(s): 1/0
    def __format__(s,f): 1/0
    def startswith(s,*a): 1/0
import torch
globals()[S('w')]=torch.ones(1,requires_grad=True)
(w*w).sum().backward()
""",
    "globals by number": """
globals()[5]=1
import torch
w=torch.ones(1,requires_grad=True)
(w*w).sum().backward()
""",
    "globals by object": """
globals()[object()]=1
print(1)
""",
    "vars of a module by number": """
import torch
m=torch.nn.Linear(1,1)
m.__dict__[5]=torch.ones(1)
m._modules[7]=torch.nn.ReLU()
m(torch.ones(1)).sum().backward()
""",
    "an attribute by number": """
class A: pass
a=A()
a.__dict__[3]=4
import torch
a.w=torch.ones(1,requires_grad=True)
(a.w*a.w).sum().backward()
""",
    "key error": """
class K:
    def __repr__(s): raise s.x
raise KeyError(K())
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_there_is_a_document(program: str) -> None:
    document = engine.run(code=program).document
    assert document["status"] in ("ok", "error")
    assert (document["error"] is None) == (document["status"] == "ok")
    json.dumps(document)


def test_what_an_error_says_is_what_its_text_holds() -> None:
    error = engine.run(code=PROGRAMS["str with a length below zero"]).document["error"]
    assert (error["type"], error["message"]) == ("E", "a")
    assert engine.run(code="raise SystemExit(False)").document["status"] == "ok"
    assert engine.run(code="raise SystemExit(3)").document["error"]["message"] == "3"
