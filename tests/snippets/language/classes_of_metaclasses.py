# Metaclasses that count calls and make one object only; what they answer for their classes.
class Final(type):
    def __new__(mcs, name, bases, ns):
        for b in bases:
            if isinstance(b, Final): raise TypeError(f"type '{b.__name__}' is not an acceptable base type")
        return super().__new__(mcs, name, bases, dict(ns))
class F(metaclass=Final): pass
try:
    class G(F): pass
except TypeError as e: print(e)
class Single(type):
    _instances = {}
    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances: cls._instances[cls] = super(Single, cls).__call__(*args, **kwargs)
        return cls._instances[cls]
class Log(metaclass=Single):
    def __init__(self, n=0): self.n = n
a, b = Log(1), Log(2); print(a is b, b.n, Single._instances == {Log: a})
class Counted(type):
    def __init__(cls, *a): super().__init__(*a); cls.count = 0
    def __call__(cls, *a, **k): cls.count += 1; return type.__call__(cls, *a, **k)
    def __str__(cls): return "counted"
    def __lt__(cls, o): return cls.__name__ < o.__name__
    def __getattr__(cls, name): return f"no {name}"
    def __iter__(cls): yield from "ab"
    @property
    def total(cls): return cls.count * 10
class T(metaclass=Counted): pass
class S(metaclass=Counted): pass
T(); T(); print(T.count, T.total, S.count, str(T), f"{T}", sorted([T, S]), T.foo, list(T), [*S])
try: T().total
except AttributeError as e: print(e)
def fn(name, bases, ns): ns["made"] = True; return type(name, bases, ns)
class X(metaclass=fn): pass
print(X.made, type(X))
try:
    class Y(metaclass=5): pass
except TypeError as e: print(e)
class Tracked(type):
    def __new__(mcs, name, bases, ns):
        cls = super().__new__(mcs, name, bases, ns)
        cls.fields = [k for k, v in ns.items() if isinstance(v, int)]
        return cls
class Model(metaclass=Tracked): a = 1; b = 2; c = "x"
print(Model.fields, Tracked("Dyn", (Model,), {"z": 1}).fields, type("E", (Model,), {"y": 1}).fields)
try: Tracked("a", 3, {})
except TypeError as e: print(e)
try: type.__new__(int, "a", (), {})
except TypeError as e: print(e)
