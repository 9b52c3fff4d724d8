# Exceptions, their causes and contexts
try:
    try: 1/0
    except ZeroDivisionError as e: raise ValueError('bad') from e
except ValueError as e: print(repr(e), repr(e.__cause__), e.args, type(e).__name__, e.__context__)
class MyErr(Exception):
    def __init__(self, a, b): super().__init__(a, b); self.a = a
    def __str__(self): return f'my {self.a}'
try: raise MyErr(1, 2)
except (KeyError, MyErr) as e: print(e, e.args, e.a, repr(e), isinstance(e, Exception))
else: print('else')
finally: print('finally')
def f():
    try: return 1
    finally: print('fin')
print(f())
def h():
    for i in range(3):
        try: continue
        finally: print('c', i)
h()
def k():
    while True:
        try: return 'try'
        finally: break
    return 'after'
print(k())
try: {}['x']
except KeyError as e: print(e, repr(e), str(e))
try: [][1]
except LookupError as e: print(e, type(e))
try: raise KeyError
except KeyError as e: print(repr(e), e.args)
try: raise 5
except TypeError as e: print(e)
try: int('x')
except ValueError as e: print(e)
try: assert 1 == 2, 'msg'
except AssertionError as e: print(e, repr(e))
try: assert False
except AssertionError as e: print(repr(e))
try:
    try: raise KeyError('first')
    finally: 1/0
except ZeroDivisionError as e: print(e)
try:
    try: raise KeyError('first')
    except KeyError: raise IndexError('second')
except IndexError as e: print(repr(e.__context__))
try: raise ValueError('a') from None
except ValueError as e: print(e.__suppress_context__, e.__cause__)
class Quiet:
    def __enter__(self): return 1
    def __exit__(self, *a): return a[0] is KeyError
with Quiet(): raise KeyError
try:
    with Quiet(): raise IndexError('not quiet')
except IndexError as e: print(e)
try: raise StopIteration(5)
except StopIteration as e: print(e.value, e)
def no_active():
    raise
try: no_active()
except RuntimeError as e: print(e)
try: raise SystemExit(2)
except BaseException as e: print(type(e).__name__, e.code)
try:
    try: 1/0
    except 5: pass
except TypeError as e: print(e)
e = 5
try: 1/0
except ZeroDivisionError as e: pass
try: e
except NameError as x: print(x)
raise MyErr('last', 0)
