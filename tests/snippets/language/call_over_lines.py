# TypeError: f() takes 2 positional arguments but 3 were given
def f(a,
      b): pass
f(1,
  2,
  3)
