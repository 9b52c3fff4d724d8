"""Members are equal to values of their type, and to no members of plain enumerations that hold the same."""

from enum import Enum, Flag, IntEnum, IntFlag


class Text(str, Enum):
    A = "a"


class Other(str, Enum):
    A = "a"


class Plain(Enum):
    A = "a"
    ONE = 1


class Number(IntEnum):
    ONE = 1


class Bit(Flag):
    ONE = 1


class Open(IntFlag):
    ONE = 1


print(Text.A == Plain.A, Plain.A == Text.A, Text.A == Other.A, Text.A == "a", Text.A in ["b", Plain.A])
print(Number.ONE == Plain.ONE, Plain.ONE == Number.ONE, Number.ONE == Open.ONE, Number.ONE == 1, Bit.ONE == 1)
print(Number.ONE == Bit.ONE, Open.ONE == Bit.ONE, Number.ONE + Open.ONE, len({Text.A, Plain.A, Other.A}))
for calculate in (lambda: Number.ONE + Plain.ONE, lambda: Number.ONE < Plain.ONE):
    try:
        print(calculate())
    except TypeError:
        print("TypeError")
