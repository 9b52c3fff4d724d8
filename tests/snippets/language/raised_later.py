# ValueError: inner
def g():
    raise ValueError('inner')
try:
    g()
except ValueError as e:
    err = e
raise err
