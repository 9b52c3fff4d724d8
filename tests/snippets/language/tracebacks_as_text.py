# Tracebacks as text
import sys
import traceback


class Own(ValueError):
    pass


def inner(n):
    if n == 0:
        raise Own("no", "more")
    inner(n - 1)


def outer():
    return {}["key"]


def deep(n):
    return deep(n - 1) if n else 1 / 0


try:
    inner(2)
except ValueError:
    print(traceback.format_exc())
    traceback.print_exc(file=sys.stdout)
    traceback.print_exc()
try:
    outer()
except Exception as error:
    print("".join(traceback.format_exception(error)))
    print(traceback.format_exception(type(error), error, error.__traceback__))
    print(traceback.format_exception_only(error), traceback.format_exception_only(type(error), error))
    traceback.print_exception(error, file=sys.stdout)
    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stdout)
    error.add_note("a note")
    print(traceback.format_exc(limit=1))
try:
    deep(8)
except ZeroDivisionError:
    print(traceback.format_exc())
try:
    try:
        outer()
    except KeyError as error:
        raise RuntimeError from error
except RuntimeError:
    print(traceback.format_exc(chain=False))
try:
    [][1]
except IndexError:
    try:
        1 / 0
    except ZeroDivisionError:
        print(traceback.format_exc())
print(traceback.format_exc())
try:
    raise AssertionError
except AssertionError as error:
    text = traceback.format_exc()
    print(text.splitlines()[-1], traceback.format_exception_only(error))
print(traceback.format_exception(ValueError("unraised")))
try:
    inner(1)
except Own as error:
    trace = error.__traceback__
    print(trace.tb_lineno, trace.tb_next.tb_lineno, sys.exc_info()[2].tb_lineno, "".join(traceback.format_tb(trace)))
    print(traceback.format_exception(type(error), error, None))
print(ValueError().__traceback__)
