# A function has one code object, which the functions that one def makes share.
def make(y):
    def inner(x):
        return x + y

    return inner


def other(x):
    return x


one, two = make(1), make(2)
print(one.__code__ == one.__code__, one.__code__ == two.__code__, one.__code__ == other.__code__)
print(hash(one.__code__) == hash(two.__code__), len({one.__code__, two.__code__, other.__code__}))
print({one.__code__: "inner"}[two.__code__], one.__closure__ == two.__closure__)
print([type(f.__code__).__name__ for f in (one, other)], one.__closure__[0].cell_contents, two.__closure__[0].cell_contents)
