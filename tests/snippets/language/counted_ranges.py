# what functions that count, sort and compare do with ranges, bytes and views
import collections
import heapq
from collections import Counter

c = Counter(range(4))
print(c, c.most_common(1), sum(c.values()))
c.update(range(2))
c.subtract(range(3))
print(c, Counter(b"abca"), Counter({1: 2}.keys()), Counter({1: "a", 2: "a"}.values()))
print(Counter(range(3)) + Counter(range(2)), Counter(range(3)) - Counter(range(2)), Counter(range(0)))
print(max(range(5), key=lambda v: -v), sorted(range(5), key=lambda v: -v), list(heapq.merge(range(3), range(2))))
print({1, 2}.issubset(range(4)), {1, 2} | set(range(3)), collections.deque(range(5), maxlen=2))
for kind in (range(3), range(2, 3)):
    print(kind in {range(3): 1}, kind == range(0, 3), Counter(kind) == {0: 1, 1: 1, 2: 1})
