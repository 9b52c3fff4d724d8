# The version of Python by its parts, and what properties say of themselves
import sys

info = sys.version_info
print(info.major, info.minor, info[:2], info >= (3, 8), info < (4,), info.releaselevel, type(info).__name__, len(info))
major, minor, *rest = info
print(f"{major}.{minor}", "python%d.%d" % info[:2], isinstance(info, tuple))
try:
    info.major = 4
except AttributeError as error:
    print("AttributeError")
try:
    info.patch
except AttributeError as error:
    print(error)


class Box:
    @property
    def lid(self):
        """What closes it."""
        return 1

    @lid.setter
    def lid(self, value):
        """Not this."""

    size = property(lambda self: 2, doc="How large it is.")
    plain = property(lambda self: 3)


print(Box.lid.__doc__, Box.size.__doc__, Box.plain.__doc__)
