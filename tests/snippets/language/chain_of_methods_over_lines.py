# AttributeError: 'A' object has no attribute 'zzz'
class A:
    def m(self): return self
a = A()
(a
 .m()
 .m()
 .zzz)
