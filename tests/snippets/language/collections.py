# defaultdict, Counter, deque and namedtuple
from collections import OrderedDict, defaultdict, Counter, deque, namedtuple
d = defaultdict(list); d['a'].append(1); print(d, d['b'], len(d))
print(defaultdict(int, a=1), Counter('abca'), Counter('aab').most_common(1), OrderedDict([('x', 1)]), deque([1,2,3], maxlen=2))
P = namedtuple('P', 'x y'); p = P(1, y=2); print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, *p)
class Q(namedtuple('Q', ['a', 'b'])):
    def s(self): return self.a + self.b
print(Q(1, 2).s(), Q(1,2), Q(1,2) == (1,2))
try: P(1)
except TypeError as e: print(e)
dd = OrderedDict(a=1); dd.move_to_end('a'); print(dd, list(dd))
q = deque([1,2]); q.appendleft(0); q.rotate(1); print(q, q.popleft(), list(q))
c = Counter(a=1); c['z'] += 2; c.update('zz'); print(c, c + Counter(a=3), sum(c.values()))
