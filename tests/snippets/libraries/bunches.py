# What sklearn's loaders give: a dict whose attributes are its items
import copy

from sklearn.datasets import load_iris
from sklearn.utils import Bunch

iris = load_iris()
print(isinstance(iris, dict), type(iris), len(iris), list(iris), iris.keys())
print(str(iris)[:60])
b = Bunch(a=1, b=[1, 2])
print(b, repr(b), b.a, b["b"], dir(b))
b.c = 3
b["d"] = 4
for key, value in b.items():
    print(key, value)
print({**b}, b.get("z"), "a" in b, b == {"a": 1}, b == dict(b), b.copy(), type(b.copy()))
try:
    b.nope
except AttributeError as error:
    print("AttributeError", error)
try:
    b["nope"]
except KeyError as error:
    print("KeyError", error)
b.update(e=5)
print(b.e, b.pop("e"), len(b), hasattr(b, "a"), hasattr(b, "q"), getattr(b, "a"), getattr(b, "q", None))
print(copy.deepcopy(b), type(copy.deepcopy(b)), Bunch(), bool(Bunch()))


class Named(Bunch):
    def total(self):
        return sum(self.values())


named = Named(x=1, y=2)
named.z = 5
print(named, named.total(), type(named))
