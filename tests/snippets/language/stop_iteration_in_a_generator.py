# A StopIteration that leaves a generator
def g():
    yield 1
    raise StopIteration("x")
it = g()
next(it)
try:
    next(it)
except RuntimeError as e:
    print(e, repr(e.__cause__), e.__suppress_context__)
