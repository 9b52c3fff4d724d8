class A:
    def __init__(self, v):
        self.v = v * 2

print(A(3).v)
