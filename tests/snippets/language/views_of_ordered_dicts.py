# Views of an OrderedDict
from collections import OrderedDict
d = OrderedDict(a=1, b=2)
print(d.keys(), d.values(), d.items(), list(reversed(d)), d.keys() & {"a"}, sorted(d.items()), next(iter(d.items())))
for key, value in d.items(): print(key, value)
