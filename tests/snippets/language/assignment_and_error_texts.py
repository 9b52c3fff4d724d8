# Assignments, and the texts of errors
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
*x, y = range(4); print(x, y)
[p, q] = 'ab'; print(p, q)
i = j = 3; print(i, j)
l = [0]*5; l[1:3] = [7, 8, 9]; l[0], l[-1] = l[-1], l[0]; print(l); del l[1]; del l[::2]; print(l)
d = {'a': 1}; d['b'] = 2; d.update(c=3); del d['a']; print(d, d.get('z', 0), list(d.items()), d.pop('b'), d.setdefault('q', []), d)
def t(f):
    try: f()
    except Exception as e: print(type(e).__name__, e)
def f1(): a, b = 1
def f2(): a, b = 1, 2, 3
def f3(): a, b, c = [1]
def f4(): a, *b, c = [1]
def f5():
    for a, b in [1]: pass
def f6(): return [1] + 'a'
def f7(): return 'a' + 1
def f8(): return 1 + 'a'
def f9(): return {}['k']
def f10(): return [1][1.0]
def f11(): return (1)(2)
def f12(): return len(5)
def f13(): return [1, 2][5]
def f14(): return 'a' < 1
def f15(): return -'a'
def f16(): x = y1; y1 = 2
def f17(): return int('a', 3) + None
def f18():
    del zz
def f19(): return [].foo
def f20(): return (lambda: 1).foo
def f21(): return undefined_name
def f22(): 
    for x in 5: pass
def f23(): return max([])
def f24(): return {[]: 1}
def f25(): return sum('ab')
def f26(): return {1, 2}[0]
def f27(): (1, 2)[0] = 3
def f28(): 'abc'[0] = 'x'
def f29(): return next(iter([]))
def f30(): return [1, 2].index(5)
def f31(): return [].pop()
def f32(): return 5 in 5
def f33(): return int([])
def f34(): return float('x')
def f35():
    with 5: pass
def f36(): return 1 @ 2
def f37(): return 'a' * 'b'
def f38(): return None + 1
def f39(): return range('a')
def f40(): return [1,2,3](0)
def f41(): return isinstance(1, 5)
def f42(): return {**5}
def f45(): return 10 ** 400 * 1.0
def f46(): return 2.0 ** 10000
def f47(): return math
def f48(): return chr(-1)
def f49(): return [3, 'a'].sort()
def f50(): return sorted([1, 'a'])
for f in (f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,f22,f23,f24,f25,f26,f27,f28,f29,f30,f31,f32,f33,f34,f35,f36,f37,f38,f39,f40,f41,f42,f45,f46,f47,f48,f49,f50): print(f.__name__, end=' '); t(f)
