# Inheritance, super() and members of classes
class Base:
    def __init__(self, x): self.x = x
    def hi(self): return 'base' + str(self.x)
    @classmethod
    def cm(cls): return cls.__name__
class Mixin:
    def hi(self): return 'mixin ' + super().hi()
class D(Mixin, Base):
    def __init__(self): super().__init__(3); super(D, self).__init__(4)
    def hi(self): return 'D ' + super().hi()
d = D(); print(d.hi(), D.cm(), d.x, D.__bases__, [c.__name__ for c in D.__mro__])
class E(D):
    y: int = 3
    z: str
    class Inner:
        q = 1
    def make(self):
        class L: pass
        return L
print(E.__annotations__, E.Inner, E().make(), E.Inner.q, E.y)
