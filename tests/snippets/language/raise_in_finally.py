# A bare raise in finally
try:
    try:
        1 / 0
    finally:
        raise
except ZeroDivisionError as e:
    print("again", e, e.__context__)
