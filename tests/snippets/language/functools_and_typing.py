# singledispatch and what functools and typing have besides
import functools
@functools.singledispatch
def describe(x, *rest):
    """What it is."""
    return f"something {type(x).__name__}"
@describe.register
def _(x: int):
    return f"int {x}"
@describe.register(list)
@describe.register(tuple)
def _(x):
    return "seq of " + ", ".join(map(describe, x))
describe.register(float, lambda x: f"float {x:.1f}")
class A: pass
class B(A): pass
@describe.register
def of_a(a: A) -> str: return "an A"
print(describe(1), describe([1, 2.5, "x"]), describe(True), describe(B()), describe({}), describe((A(),)))
print(describe.dispatch(int)(3), describe.dispatch(B) is of_a, float in describe.registry, str in describe.registry)
for bad in (lambda: describe(), lambda: describe.register(3)):
    try:
        bad()
    except TypeError as e:
        print(str(e)[:50])
try:
    @describe.register
    def _(x): pass
except TypeError as e:
    print(str(e)[:40])
class Cell:
    def __init__(self): self.state = []
    def put(self, value, *, twice=False): self.state += [value] * (1 + twice)
    one = functools.partialmethod(put, 1)
    both = functools.partialmethod(put, twice=True)
c = Cell()
c.one(); c.both("b")
print(c.state)
