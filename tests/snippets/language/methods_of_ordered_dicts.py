# Methods of an OrderedDict
from collections import OrderedDict
d = OrderedDict(a=1, b=2, c=3)
print(d.pop("b"), d.pop("x", None), d, d.setdefault("z", 9), list(d), d.popitem())
d.clear(); d["k"] = 1
print(d, list(d.items()), len(d))
d.update(m=2); del d["k"]
print([*d], dict(d))
