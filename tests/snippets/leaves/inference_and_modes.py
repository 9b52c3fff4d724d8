# no_grad, enable_grad, inference_mode as contexts, decorators and generators; flags at every point
import torch
from functools import partial

x = torch.ones(2, requires_grad=True)

def flags(tag):
    print(f"{tag:<14} grad={torch.is_grad_enabled()} inf={torch.is_inference_mode_enabled()} y={(x * 2).requires_grad}")

flags("start")
with torch.no_grad():
    flags("no_grad")
    with torch.enable_grad():
        flags("enable")
        y = x * 3
    with torch.set_grad_enabled(True):
        flags("set True")
    flags("again")
print(y.requires_grad, y.grad_fn)

@torch.no_grad()
def f(v): return v * 2
@torch.no_grad
def f2(v): return v * 2
@torch.inference_mode()
def g(v): return v * 2
@torch.enable_grad()
def h(v): return v * 2
print(f(x).requires_grad, f2(x).requires_grad, g(x).is_inference(), f.__name__)
with torch.no_grad():
    print(h(x).requires_grad)

@torch.no_grad()
def gen():
    for i in range(2):
        yield (x * i).requires_grad
for r in gen():
    flags(f"gen {r}")
with torch.inference_mode():
    z = x * 2
    w = torch.ones(2)
    flags("inference")
print(z.requires_grad, z.is_inference(), w.is_inference())
for op in (lambda: w.requires_grad_(), lambda: w.add_(1), lambda: (w * x).sum().backward(), lambda: w._version, lambda: z.view(2).add_(1)):
    try:
        op()
        print("fine")
    except RuntimeError as e:
        print(str(e).split("\n")[0][:150])
wc = w.clone()
print(wc.is_inference(), (wc * x).sum())
prev = torch.is_grad_enabled()
torch.set_grad_enabled(False)
try:
    flags("off")
finally:
    torch.set_grad_enabled(prev)
flags("end")
class Foo:
    @torch.no_grad()
    def m(self, v): return (v * 2).requires_grad
    @staticmethod
    @torch.no_grad()
    def s(v): return (v * 2).requires_grad
print(Foo().m(x), Foo.s(x))
@torch.no_grad()
class Bar:
    def __init__(self): self.r = (x * 2).requires_grad
print(Bar().r)
def fails():
    with torch.no_grad():
        raise KeyError("k")
try:
    fails()
except KeyError as e:
    print(repr(e), torch.is_grad_enabled())
