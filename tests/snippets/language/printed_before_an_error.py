# What print has written when the text of a later value cannot be made
class Broken:
    def __str__(self):
        raise ValueError("no text")


class Wrong:
    def __repr__(self):
        return 5


for values in ((Broken(),), ("a", Broken(), "b"), (1, 2, Wrong()), ("a", [Broken()], [Wrong()])):
    try:
        print(*values, sep=" - ")
    except (ValueError, TypeError) as error:
        print("|", type(error).__name__, error)
print("a", "b", 3, sep="", end="!\n")
print(*[1, 2], "x")
