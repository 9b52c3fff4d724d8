# contextlib and redirected output
import contextlib
class Timer(contextlib.ContextDecorator):
    def __enter__(self):
        print("in")
        return self
    def __exit__(self, *details):
        print("out", details[0])
        return details[0] is KeyError
@Timer()
def f(v):
    if v is None:
        raise KeyError("k")
    return v * 2
print(f(2), f(None))
with Timer() as t:
    print(type(t).__name__)
try:
    @Timer()
    def g(): return 1 / 0
    g()
except ZeroDivisionError as e:
    print("through", e)
class Abstract(contextlib.AbstractContextManager):
    pass
try:
    Abstract()
except TypeError as e:
    print(e)
class Real(contextlib.AbstractContextManager):
    def __exit__(self, *details): print("left")
with Real() as r:
    print(r.__class__.__name__)
with contextlib.ExitStack() as stack:
    stack.push(lambda kind, value, trace: print("pushed", kind, value))
    stack.push(Real())
    with contextlib.suppress(ValueError):
        raise ValueError("gone")
