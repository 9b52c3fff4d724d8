# When arguments after * and ** are evaluated
def f(*a, **k): return a, k
try:
    f(*None, a=1 // 0)
except Exception as e:
    print(type(e).__name__)
try:
    f(*5, **{1: 2})
except TypeError as e:
    print(e)
