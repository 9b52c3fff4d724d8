# __init__ and other special methods that return the wrong thing
class I:
    def __init__(self): return 1
try:
    I()
except TypeError as e:
    print(e)
from functools import reduce
for wrong in (lambda: reduce(max, 5), lambda: ",".join(5), lambda: bytes(1.5), lambda: "{!z}".format(1)):
    try:
        wrong()
    except (TypeError, ValueError) as e:
        print(e)
x = [1]
try:
    x[:] = 5
except TypeError as e:
    print(e)
