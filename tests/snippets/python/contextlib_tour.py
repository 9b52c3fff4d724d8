# contextlib in training code: contextmanager, ExitStack, nullcontext, suppress, redirect_stdout
import contextlib, io, time, torch
@contextlib.contextmanager
def frozen(*params):
    flags = [p.requires_grad for p in params]
    for p in params: p.requires_grad_(False)
    try: yield params
    finally:
        for p, f in zip(params, flags): p.requires_grad_(f)
a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
with frozen(a): (a * b).backward()
print(a.grad, b.grad, a.requires_grad)
amp = False
with contextlib.nullcontext() if not amp else torch.autocast("cpu"): (a * 2).backward()
print(a.grad)
with contextlib.suppress(RuntimeError): torch.ones(1).backward(); print("never")
buf = io.StringIO()
with contextlib.redirect_stdout(buf): print("captured", a)
print(repr(buf.getvalue()))
class Timer(contextlib.ContextDecorator):
    def __enter__(self): self.t = time.perf_counter(); return self
    def __exit__(self, *exc): self.dt = time.perf_counter() - self.t; print("exit", exc[0]); return False
with Timer() as t: x = (a * 3).sum()
print(t.dt >= 0)
@Timer()
def f(v): return v * 2
print(f(2))
with contextlib.ExitStack() as stack:
    stack.enter_context(torch.no_grad()); stack.callback(print, "bye"); print((a * 2).requires_grad)
    stack.push(lambda *e: print("pushed", e[0]))
class Closing:
    def close(self): print("closed")
with contextlib.closing(Closing()) as c: print(type(c).__name__)
try:
    with Timer(): raise KeyError("k")
except KeyError as e: print("caught", e, repr(e), e.args)
@contextlib.contextmanager
def swallow():
    try: yield 1
    except ZeroDivisionError as e: print("swallowed", e)
with swallow() as one: one / 0
