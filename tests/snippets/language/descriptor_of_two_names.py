# A descriptor with two names
class Twice:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return obj.__dict__.get(self.name, "unset")
    def __set__(self, obj, value): obj.__dict__[self.name] = value * 2
class H:
    d = Twice()
h = H()
print(h.d)
h.d = 4
print(h.d, vars(h))
