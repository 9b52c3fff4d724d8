# What a function says of its code and of the variables it closes over.
def counter(start, step=1):
    n = start
    unused = 3
    def inc(by=None):
        nonlocal n
        k = by or step
        n += k
        return n
    return inc
k = counter(5); print(k(), k(2), [c.cell_contents for c in k.__closure__], k.__code__.co_freevars, k.__code__.co_varnames)
print(counter.__closure__, counter.__code__.co_varnames, counter.__code__.co_cellvars, counter.__code__.co_argcount, counter.__code__.co_name, counter.__code__.co_firstlineno)
fs = []
for i in range(3): fs.append(lambda x: x * i)
print(fs[0].__closure__, fs[0].__code__.co_varnames)
def make(): return [lambda x: x * i for i in range(3)]
print(make()[0](1))
def deco(f):
    def w(*a, **k): return f(*a, **k)
    return w
@deco
def g(a, b, /, c, *, d=1, **kw): return a
print(g.__closure__[0].cell_contents.__name__, g.__code__.co_varnames, g.__code__.co_freevars)
class A:
    def m(self, x): y = x; return super().__init__()
    def p(self): return self
print(A.m.__code__.co_varnames, A.m.__code__.co_freevars, A.m.__closure__[0].cell_contents, A().p.__code__.co_argcount)
def f(a, b=2, *args, c, **kw): z = 1; return z
c = f.__code__; print(c.co_varnames[:c.co_argcount], c.co_kwonlyargcount, c.co_posonlyargcount, c.co_nlocals, c.co_qualname)
def outer():
    x = 1
    def inner():
        def deep(): return x
        return deep
    return inner()
print(outer().__closure__[0].cell_contents, outer().__code__.co_freevars, type(outer().__closure__[0]).__name__)
def lateb():
    def g(): return v
    try: g.__closure__[0].cell_contents
    except ValueError as e: print(e)
    v = 3
    return g
print(lateb().__closure__[0].cell_contents)
try: k.__code__.foo
except AttributeError as e: print(e)
