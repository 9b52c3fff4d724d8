# Special methods of built-in types that are called by their names
class Length:
    def __init__(self, metres):
        self.metres = metres

    def __add__(self, other):
        return self.metres.__add__(other.metres if isinstance(other, Length) else other)

    __radd__ = __add__

    def __eq__(self, other):
        return self.metres.__eq__(other)

    def __lt__(self, other):
        return self.metres.__lt__(other)

    def __hash__(self):
        return self.metres.__hash__()

    def __format__(self, spec):
        return self.metres.__format__(spec) + " m"

    def __del__(self):
        pass


class Counted(list):
    def __iadd__(self, other):
        print("adding", len(other))
        return super().__iadd__(other)

    def __setitem__(self, index, value):
        list.__setitem__(self, index, value)


three = Length(3)
print(three + 1, 2 + three, three + Length(4), three == 3, three == "a", three < 4, f"{three:05.1f}", hash(three))
for wrong in (lambda: three + "a", lambda: "a" + three, lambda: three < "a", lambda: Length(1.5) < 1j):
    try:
        print(wrong())
    except TypeError as error:
        print(error)
counted = Counted([1])
counted += [2, 3]
counted[0] = 9
print(counted)
print((255).__format__("x"), "a".__format__(">3"), (1.5).__format__(".2f"), (5).__index__(), (5).__divmod__(3))
print((1).__radd__(2), (5).__rsub__(3), (5).__rpow__(2), (2).__rtruediv__(5), "a".__rmul__(2), (5).__lshift__(2))
print((1).__add__("a"), (5).__eq__("a"), (5).__lt__(None), [1].__eq__((1,)), {1}.__or__([1]), (1.5).__add__(2))
print((1.5).__round__(), (1.5).__trunc__(), (1.5).__ceil__(), (1.5).__floor__(), [1].__iadd__([2]), [1].__imul__(2))
print(list([1, 2].__reversed__()), len.__call__([1]), (lambda x: x).__call__(5), {}.fromkeys("ab", 0), [1].__contains__(1))
for wrong in (lambda: "a".__add__(1), lambda: [1].__add__((1,)), lambda: (1).__truediv__(0), lambda: int.__add__(1)):
    try:
        print(wrong())
    except (TypeError, ZeroDivisionError) as error:
        print(error)
