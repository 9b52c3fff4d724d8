# functools, itertools and operator
import functools, itertools, operator, copy, math, random
add = functools.partial(lambda a, b, c=0: a + b + c, 1, c=10)
print(add(2), functools.reduce(lambda a, b: a * b, [1,2,3,4]), functools.reduce(operator.add, [[1],[2]], []))
def deco(f):
    @functools.wraps(f)
    def inner(*a, **k):
        'doc inner'
        return f(*a, **k) + 1
    return inner
@deco
def foo(x):
    'doc foo'
    return x
print(foo(1), foo.__name__, foo.__doc__)
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(50))
print(list(itertools.chain([1],[2,3])), list(itertools.product('ab', repeat=2)), list(itertools.permutations([1,2,3], 2)), list(itertools.combinations('abc', 2)), list(zip(range(3), itertools.count(10))), list(itertools.accumulate([1,2,3])), [(k, list(g)) for k, g in itertools.groupby('aabb')], list(itertools.zip_longest([1],[2,3])), list(itertools.takewhile(lambda x: x<3, [1,2,3,1])), list(itertools.chain.from_iterable([[1],[2]])))
random.seed(0); print(random.random(), random.randint(1, 10), random.choice('abc'), random.sample(range(10), 3), random.uniform(1,2), random.gauss(0,1))
l = [1,2,3,4]; random.shuffle(l); print(l)
a = [1, [2, 3], {'k': (4, [5])}]; b = copy.deepcopy(a); a[1].append(9); a[2]['k'][1].append(7); print(b, copy.copy(a) == a)
class C:
    def __init__(self): self.l = [1]
c = C(); d = copy.deepcopy(c); c.l.append(2); print(d.l, copy.copy(c).l is c.l)
print(math.sqrt(2), math.factorial(10), math.comb(5, 2), math.inf, math.floor(2.5), math.gcd(12, 18), math.isclose(0.1+0.2, 0.3), math.prod([1,2,3]), math.log(8, 2), math.hypot(3,4))
print(sorted([(1,'b'),(0,'c')], key=operator.itemgetter(1)), operator.attrgetter('l')(c))
