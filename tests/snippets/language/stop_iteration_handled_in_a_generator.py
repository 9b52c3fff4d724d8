# A StopIteration that a generator handles itself
def g():
    try:
        yield 1
        raise StopIteration("x")
    except StopIteration as e:
        print("caught", e)
    yield 2
print(list(g()))
