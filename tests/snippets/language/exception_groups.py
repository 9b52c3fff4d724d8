# Exception groups: what except* takes out of them, what is raised again, and how they are taken apart.
def show(f):
    try: f()
    except BaseException as e: print("out", repr(e), "|", e, "|", repr(e.__context__), repr(e.__cause__))
    else: print("fine")
def a():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), ExceptionGroup("n", [ValueError(3), KeyError("k")])])
    except* ValueError as e: print(repr(e)); raise
    except* TypeError as e: print(repr(e)); raise RuntimeError("new")
    else: print("no")
    finally: print("fin")
show(a)
def b():
    try: raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError as e: raise RuntimeError("only") from e
show(b)
def c():
    try: raise ExceptionGroup("g", [ValueError(1), OSError(2, "x"), KeyError(3)])
    except* (ValueError, KeyError) as e: print(e.exceptions)
    except* OSError: print("os")
show(c)
def d():
    try: raise KeyError("naked")
    except* ValueError: print("no")
show(d)
def e():
    try: pass
    except* ValueError: pass
    else: print("else")
show(e)
def f():
    try: raise ExceptionGroup("g", [ValueError(1)])
    except* ExceptionGroup: pass
show(f)
def g():
    for i in range(3):
        try:
            if i == 1: raise ValueError(i)
        except* ValueError as e: print("got", i, e.exceptions)
    x = 5
    try: raise ExceptionGroup("g", [ValueError(x)])
    except* ValueError as e: x = 6
    print(x)
show(g)
def h():
    try: raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* ValueError: 1 / 0
show(h)
errors = []
for text in ["1", "x", "3", "y"]:
    try: int(text)
    except ValueError as e: e.add_note(f"text {text}"); errors.append(e)
try: raise ExceptionGroup("parsing", errors)
except ExceptionGroup as e:
    print(e.message, len(e.exceptions), [x.__notes__ for x in e.exceptions])
    print(e.subgroup(lambda x: "y" in str(x)), e.split(KeyError)[0], isinstance(e, Exception), ExceptionGroup.__mro__)
for bad in (lambda: ExceptionGroup("x"), lambda: ExceptionGroup("x", 3), lambda: ExceptionGroup("x", [KeyboardInterrupt()]), lambda: ExceptionGroup("x", {1}), lambda: ExceptionGroup("a", [ValueError()]).split(3)):
    show(bad)
try: raise BaseExceptionGroup("b", [SystemExit(1), ValueError(2)])
except* ValueError: print("v")
except* SystemExit as e: print(repr(e))
