# An OSError with its own __init__
class Own(OSError):
    def __init__(self, a): self.a = a
print(repr(Own(1)), Own(2).args)
