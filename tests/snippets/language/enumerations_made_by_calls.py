# Enumerations made by a call, and what else they can be asked for
from enum import Enum, Flag, IntEnum, IntFlag


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1


print(Color.RED._value_, Color.RED._name_, Color._member_map_, Color._member_names_, Color._value2member_map_)
print(list(reversed(Color)), Color.RED in Color, Color(2), 2 in Color._value2member_map_)
for made in (
    Enum("A", "x y"), Enum("A", ["x", "y"]), Enum("A", {"x": 3, "y": "z"}), Enum("A", [("x", 5), ["y", 6]]),
    Enum("A", "x, y", start=7), IntEnum("A", "x y"), Flag("A", "x y z"), IntFlag("A", ("x", "y")),
    Enum("A", "x", qualname="B.A"), Enum("A", {"x": "1"}, type=str), Enum("A", ()), Enum("A", "x", module="here"),
):
    print(made, list(made), made.__qualname__)
for wrong in (
    lambda: Enum("C", {1: 3}.items() and [1, 2]),
    lambda: Enum("C", {1: 3}),
    lambda: Enum("C", ["A", "A"]),
    lambda: Enum("C", "A", unknown=3),
    lambda: Enum("C", {"A"}),
    lambda: Enum("C", (name for name in "AB")),
    lambda: Color.BLUE,
    lambda: Color(3),
    lambda: Color["BLUE"],
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
