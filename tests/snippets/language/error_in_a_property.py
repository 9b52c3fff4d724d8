# AttributeError: 'P' object has no attribute 'b'
class P:
    @property
    def a(self): return self.b
P().a
