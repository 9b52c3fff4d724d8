# RuntimeError: outer
def f():
    try:
        g()
    except ValueError as e:
        raise RuntimeError('outer') from e
def g():
    raise ValueError('inner')
f()
