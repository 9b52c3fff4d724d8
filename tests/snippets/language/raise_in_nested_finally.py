# KeyError: 'a'
def f():
    try:
        {}["a"]
    finally:
        try:
            raise
        except KeyError as inner:
            print("inner", inner)
        print("last")
f()
