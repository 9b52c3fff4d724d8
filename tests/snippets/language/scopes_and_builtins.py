# Scopes, and built-in functions
fs = [lambda: i for i in range(3)]; print([f() for f in fs])
fs = [(lambda j=j: j) for j in range(3)]; print([f() for f in fs])
def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    return inc
c = counter(); c(); print(c(), c())
g = 10
def setg():
    global g, newg
    g = 20; newg = 5
setg(); print(g, newg)
print([y := 5, y ** 2], (z := 3) + z)
if (n := len('abc')) > 2: print(n)
print([last := k for k in range(3)], last)
print({k: v for k, v in zip('ab', [1, 2])}, {x % 2 for x in range(5)}, [(a, b) for a in range(2) for b in range(a)], [x for x in range(10) if x % 2 if x > 3])
class K:
    xs = [1, 2]
    ys = [x * 2 for x in xs]
    total = sum(ys)
    def m(self): return [self.q for _ in range(2)]
    q = 7
print(K.ys, K.total, K().m())
def outer():
    v = 1
    class In:
        w = v + 1
        def get(self): return v
    return In
print(outer().w, outer()().get(), outer())
for i in range(3):
    if i == 5: break
else: print('for else')
while True:
    break
else: print('no')
x = 0
while x < 3:
    x += 1
    if x == 2: continue
else: print('while else', x)
print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4), (lambda: (yield))() is not None)
def f(a, b=[]): b.append(a); return b
f(1); print(f(2), f.__defaults__)
print([*range(3), *'ab'], {**{'a': 1}, 'b': 2}, (*[1], 2), print(*[1, 2], sep='-', end='!\n'))
def kw(**k): return k
print(kw(**{'a': 1}, b=2), 'a' 'b', 1_000, 0xff, 0b11, 1e3, 3j, 1 if 0 else 2, ..., not 1, r'\n', b'ab'.decode(), """tri
ple""")
del x
try: x
except NameError as e: print(e)
assert True, 'no'
a = b = []; a.append(1); print(b, a is b, [] is [])
print(__name__, type(None), type(1), type('a'), type(print).__name__, type(lambda: 0), type(type(1)), type(K), type(K()), int, print)
print(sorted({3, 1, 2}), reversed([1, 2]).__class__.__name__ , list(reversed([1, 2])), list(map(str, [1, 2])), list(filter(None, [0, 1])), list(enumerate('ab', 1)), dict(a=1), dict([(1, 2)]), set('aa'), tuple([1]), divmod(7, 2), pow(2, 10, 1000), round(2.567, 2), abs(-3), min(3, 1), max([1, 5], key=lambda x: -x), any([0, 1]), all([]), bin(5), hex(255), chr(65), ord('A'), callable(print), isinstance(True, int), complex(1, 2), bool([]), float('1.5'), int('12'), str(5), sum([1, 2], 10), hash('a') == hash('a'), len({1: 2}), iter([1]).__next__(), next(iter([1]), 2), zip([1], [2]).__class__.__name__)
