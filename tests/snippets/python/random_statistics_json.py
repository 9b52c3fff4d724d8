# What random, statistics and json can do besides
import collections
import json
import random
import statistics


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)
random.seed(3)
state = random.getstate()
a = [random.random() for _ in range(3)]
random.setstate(state)
print(a == [random.random() for _ in range(3)], state[0], len(state[1]), state[2])
shown(lambda: random.sample(["a", "b"], counts=[3, 2], k=4))
shown(lambda: random.sample(["a", "b"], counts=[3, 2], k=6))
r = random.Random(5)
s = r.getstate(); x = r.random(); r.setstate(s); print(x == r.random())
shown(lambda: statistics.quantiles([1, 2, 3, 4, 5], n=4))
shown(lambda: statistics.multimode([1, 1, 2, 2, 3]))
shown(lambda: statistics.harmonic_mean([40, 60]))
shown(lambda: statistics.geometric_mean([1, 9]))
shown(lambda: statistics.fmean([1, 2, 4]))
shown(lambda: (statistics.median_low([1, 2, 3, 4]), statistics.median_high([1, 2, 3, 4])))
shown(lambda: statistics.correlation([1, 2, 3], [1, 2, 4]))
shown(lambda: statistics.covariance([1, 2, 3], [1, 2, 4]))
shown(lambda: statistics.pvariance([1, 2, 4]))
shown(lambda: statistics.mean([]))
class P:
    def __init__(self): self.a = 1
shown(lambda: json.dumps({"p": P()}, default=lambda o: o.__dict__))
shown(lambda: json.dumps(P(), default=vars))
shown(lambda: json.dumps([P()], default=str)[:10])
shown(lambda: json.loads('{"a": {"b": 1}}', object_hook=lambda d: list(d.items())))
shown(lambda: json.loads('{"a": 1.5}', parse_float=str))
shown(lambda: json.loads('{"a": 1}', object_pairs_hook=collections.OrderedDict))
shown(lambda: json.dumps({"p": P()}))
shown(lambda: collections.defaultdict(5))
shown(lambda: json.dumps(vars(P())))
shown(lambda: json.dumps({"all": [P().__dict__]}, indent=1))
shown(lambda: json.dumps({"a": [1, 2]}, separators=(",", ":")))
shown(lambda: json.dumps({"a": float("nan")}, allow_nan=False))
shown(lambda: json.dumps({1: P(), "b": (P(), None, True)}, default=lambda o: {"a": o.a, "s": "x"}))
