# A bare raise after a yield: who handles what
def g():
    try:
        1 / 0
    except ZeroDivisionError:
        yield "handling"
        raise
it = g()
print(next(it))
try:
    raise
except RuntimeError as e:
    print(e)
try:
    {}["q"]
except KeyError:
    try:
        next(it)
    except ZeroDivisionError as e:
        print(e)
    try:
        raise
    except KeyError as e:
        print("still", e)
