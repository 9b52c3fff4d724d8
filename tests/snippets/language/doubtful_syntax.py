# Syntax that CPython warns of when it compiles, and what comes of it
import torch

x = 5
if x is 5:
    print("five")
if x is not "a":
    print("not a")
assert (x == 3, "never fails")
print(x is None, x is True, x is ..., x is -1, x is (1, 2), x is [], 1 is not x is not None)


def rows():
    return [
        (1, 2)
        (3, 4)
    ]


for wrong in (
    rows, lambda: "a"("b"), lambda: [1][0](1), lambda: [1](0), lambda: {"a": 1}("a"), lambda: f"{x}"(1), lambda: None(1),
    lambda: [1, 2]["a"], lambda: "abc"[1.5], lambda: (1, 2)[None], lambda: [1, 2][1, 2], lambda: 5[0], lambda: None[0],
    lambda: {1, 2}[0], lambda: (lambda: 0)[0], lambda: (i for i in [1])[0], lambda: [i for i in [1]]["a"],
    lambda: {"a": 1}["a"], lambda: "abc"[1:], lambda: [1, 2][True], lambda: "abc"[x - 4], lambda: (lambda: 7)(),
):  # fmt: skip
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
print(torch.ones(2).sum())
