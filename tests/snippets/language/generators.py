# Generators
def gen(n):
    try:
        for i in range(n):
            got = yield i
            if got: print('got', got)
        return 'done'
    finally:
        print('fin')
g = gen(3)
print(next(g), g.send('hey'), list(g))
def outer():
    r = yield from gen(2)
    print('r', r)
    yield 99
print(list(outer()))
g = gen(5); next(g); g.close()
g = gen(5); next(g)
try: g.throw(ValueError('boo'))
except ValueError as e: print('caught', e)
try: next(g)
except StopIteration as e: print('stop', e.value)
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
import itertools
print(list(itertools.islice(fib(), 10)), [x for x in (i*i for i in range(5)) if x % 2 == 0])
def w():
    total = 0
    while total < 10:
        total += (yield total) or 1
    if (yield 'x'): print('yes')
    print([(yield 1), (yield 2)])
it = w(); print(next(it), [it.send(3) for _ in range(3)], next(it))
def gg(x): 
    with open_() as f:
        yield x + f
class open_:
    def __enter__(self): print('in'); return 5
    def __exit__(self, *a): print('out', a[0])
print(list(gg(1)))
def ge():
    try:
        yield 1
        raise KeyError('k')
    except KeyError as e:
        yield repr(e)
    else:
        yield 'no'
print(list(ge()), type(ge()), type(ge).__name__)
def bad():
    yield 1
    raise StopIteration
try: list(bad())
except RuntimeError as e: print(e)
def mm(v):
    match (yield v):
        case 1: yield 'one'
        case _: yield 'other'
it = mm(0); print(next(it), it.send(1))
