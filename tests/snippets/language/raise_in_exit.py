# A bare raise in __exit__
class M:
    def __enter__(self): return self
    def __exit__(self, *details):
        try:
            raise
        except Exception as e:
            print("in exit", repr(e))
        raise ValueError("left")
try:
    with M():
        1 / 0
except ValueError as e:
    print(repr(e.__context__))
