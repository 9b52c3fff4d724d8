# ValueError: inner
def f():
    try:
        raise ValueError('inner')
    except ValueError:
        raise
f()
