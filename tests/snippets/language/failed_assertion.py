# AssertionError: values 1 2
assert 1 == 2, f'values {1} {2}'
