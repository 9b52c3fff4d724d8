# What errors know beside their text: names, objects, notes, causes
class Box:
    pass


box = Box()
for look in (lambda: box.lid, lambda: (1).lid, lambda: "a".lid, lambda: Box.lid, lambda: [].lid):
    try:
        look()
    except AttributeError as error:
        print(error, "|", error.name, error.args, error.obj is box, error.obj is Box)
try:
    missing
except NameError as error:
    print(error, error.name, vars(error))


def early():
    print(late)
    late = 1


def closed():
    def inner():
        return late

    inner()
    late = 1


for function in (early, closed):
    try:
        function()
    except NameError as error:
        print(type(error).__name__, error, error.name)
try:
    del never
except NameError as error:
    print(error, error.name)
try:
    import nothing_here
except ImportError as error:
    print(type(error).__name__, error.name, error.path, error.msg)
try:
    from math import nothing
except ImportError as error:
    print(type(error).__name__, error.name, error.msg[:27])
for error in (
    AttributeError("m", name="n", obj=3), NameError("m", name="n"), ImportError("m", name="n", path="p"),
    AttributeError("m"), ModuleNotFoundError("m", name="other"), UnboundLocalError("m"),
):  # fmt: skip
    print(repr(error), error.name, getattr(error, "obj", None), getattr(error, "path", None))
for kind in (AttributeError, NameError, ImportError, ValueError):
    try:
        kind("m", unknown=1)
    except TypeError as error:
        print(error)


class Lookup(AttributeError):
    def __init__(self, what, where):
        super().__init__(f"no {what}", name=what, obj=where)
        self.where = where


try:
    raise Lookup("lid", box)
except AttributeError as error:
    print(error, error.name, error.obj is box, error.where is box)
error = ValueError("x")
error.add_note("first")
error.add_note("second")
try:
    raise error
except ValueError as again:
    print(again.__notes__, again is error, hasattr(TypeError(), "__notes__"))
for number in (1, 2, 13, 17, 32, 110, 111, 99999):
    error = OSError(number, "reason", "file")
    print(type(error).__name__, error, isinstance(error, OSError), error.errno, error.filename)
print(type(OSError("text")).__name__, type(OSError()).__name__, type(FileNotFoundError(13, "x")).__name__)
box.lid
