import torch
from torch import Tensor
x: Tensor = torch.ones(2)
n: int
y: "Undefined" = 3
print(x, y)
try:
    z: Undefined = 4
except NameError as e:
    print(e, z)
try:
    w: Undefined
except NameError as e:
    print(e)
def f():
    a: Undefined = 1
    b: Undefined
    return a
print(f())
d = {}
d["k"]: int = 4
print(d)
try:
    d["q"][0]: int
    q.r: int
except NameError as e: print(e)
except KeyError as e: print("key", e)
try:
    print(1)[0]: int
    missing[0]: int
except NameError as e: print(e)
