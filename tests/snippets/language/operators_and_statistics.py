# operator, functools and statistics: what they show, the types of arguments that choose, distributions
import functools
import operator
import statistics
from statistics import NormalDist
print(operator.itemgetter(1), operator.itemgetter("a", 2), operator.attrgetter("x.y"), operator.methodcaller("f", 1, k=2))
print(operator.concat([1], [2]), operator.countOf([1, 2, 1], 1), operator.indexOf("abc", "c"), operator.length_hint([1, 2]))
print(operator.call(max, 3, 4), operator.__add__(1, 2), operator.iconcat([1], [2]), operator.itemgetter(0, -1)("xyz"))
d = {"a": 1, "b": 2}
operator.delitem(d, "a")
print(d, functools.reduce(operator.or_, [{1}, {2}]), sorted([(2, "a"), (1, "b")], key=operator.itemgetter(1)))
@functools.lru_cache(maxsize=2, typed=True)
def area(a, b=1):
    """Sides multiplied."""
    return a * b
print(area(2), area(2.0), area(2, b=3), area.cache_info(), area.cache_parameters(), area.__wrapped__(3), area.__doc__)
class Loss:
    @functools.singledispatchmethod
    def of(self, x): return f"{type(x).__name__}?"
    @of.register
    def _(self, x: int): return "int"
    @of.register(list)
    def _(self, x): return [self.of(i) for i in x]
print(Loss().of(1), Loss().of([1, "a", [True]]))
n = NormalDist(1, 2)
print(n, n.mean, n.stdev, n.variance, n.median, n.pdf(0.5), n.cdf(2), n.inv_cdf(0.25), n.zscore(3), n.quantiles(4))
print(n + NormalDist(2, 1), n - 1, 3 * n, n / 2, -n, 1 - n, n == NormalDist(1.0, 2.0), n.overlap(NormalDist(0, 1)))
print(NormalDist.from_samples([1, 2, 3, 5]), n.samples(2, seed=3))
print(statistics.linear_regression([1, 2, 3], [2, 4, 7]), statistics.fmean([1, 2, 3], weights=[1, 1, 2]))
print(statistics.median_grouped([1, 2, 2, 3]), statistics.linear_regression([1, 2], [2, 4], proportional=True))
for wrong in (
    lambda: operator.itemgetter(), lambda: operator.attrgetter(1), lambda: operator.methodcaller(), lambda: operator.add(1),
    lambda: operator.indexOf([1], 2), lambda: area([1]), lambda: functools.partial(), lambda: operator.concat(1, 2),
    lambda: statistics.mean([]), lambda: statistics.variance([1]), lambda: NormalDist(0, -1), lambda: n.inv_cdf(1.5),
    lambda: functools.lru_cache("a"), lambda: operator.lt(1, 2, 3), lambda: operator.itemgetter(3)([1]),
):
    try:
        print(wrong())
    except (TypeError, ValueError, IndexError) as e:
        print(type(e).__name__, e)
