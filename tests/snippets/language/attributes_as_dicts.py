# The attributes of objects and classes as dicts: vars, __dict__, what takes them and what refuses.
class A:
    def __init__(self): self.x = 1; self.y = [2]
    def state(self): return super().__dict__
a = A()
print(type(a.__dict__), type(vars(a)), a.__dict__ == {"x": 1, "y": [2]}, {"x": 1, "y": [2]} == vars(a), dict(a.__dict__), {**a.__dict__, "z": 3}, len(vars(a)), "x" in vars(a), sorted(vars(a)), list(vars(a).items()))
print(isinstance(a.__dict__, dict), type(vars(a)).__name__, vars(a).keys() & {"x"}, vars(a) | {"q": 1}, {"q": 1} | vars(a))
class B(A):
    @classmethod
    def f(cls): return super().__name__ if hasattr(super(), "__name__") else "none"
print(B.f())
import copy, json
print(json.dumps(vars(a)), copy.deepcopy(vars(a)), copy.copy(vars(a)), str(vars(a)), repr(a.__dict__), f"{vars(a)}")
b = A(); b.__dict__.update(a.__dict__); b.__dict__["k"] = 5; print(b.k, b.__dict__.get("nope"), b.__dict__.pop("k"), vars(b))
for k, v in vars(a).items(): print(k, v)
import pprint; pprint.pprint(vars(a))
print({k: v for k, v in a.__dict__.items() if not k.startswith("_")}, max(vars(a)), a.__dict__ != b.__dict__, bool(vars(a)))
match vars(a):
    case {"x": x}: print("x", x)
def f(**k): return k
print(f(**vars(a)), A.__dict__["state"].__name__ if "state" in vars(A) else "")
try: hash(vars(a))
except TypeError as e: print(e)
try: vars(a)["zz"]
except KeyError as e: print(e)
try: vars(1)
except TypeError as e: print(e)
del a.__dict__["x"]; print(vars(a)); vars(a).clear(); print(vars(a))
class C:
    "doc"
    n = 3
    def __init__(self): self.x = 1
    def f(self): return 1
    @staticmethod
    def s(): return 2
    @property
    def p(self): return 3
print([k for k in C.__dict__ if not k.startswith("__")], C.__dict__["n"], C.__dict__["f"] is C.f, "f" in C.__dict__, "zz" in C.__dict__, type(C.__dict__), C.__dict__["__doc__"], C.__dict__["__module__"], "__init__" in C.__dict__)
for k, v in C.__dict__.items():
    if callable(v) and k != "s": print(k)
print({k: v for k, v in C.__dict__.items() if isinstance(v, int)}, C.__dict__.get("q", 0), isinstance(C.__dict__["p"], property), isinstance(C.__dict__["s"], staticmethod))
try: C.__dict__["n"] = 4
except TypeError as e: print(e)
class D(C): pass
print("f" in D.__dict__, [c.__name__ for c in D.__mro__ if "f" in c.__dict__])
