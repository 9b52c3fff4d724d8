# ValueError: in gen
def gen():
    yield 1
    raise ValueError('in gen')
for x in gen():
    print(x)
