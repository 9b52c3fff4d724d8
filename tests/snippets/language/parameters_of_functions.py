# Parameters of functions
def f(a, b, /, c, d=4, *args, e, f=6, **kw):
    return a,b,c,d,args,e,f,kw
print(f(1,2,3,e=5), f(1,2,c=3,e=5,z=9), f(1,2,3,4,5,6,e=7,f=8,g=9))
for call in (lambda: f(1,2), lambda: f(1,2,3), lambda: f(a=1,b=2,c=3,e=5), lambda: f(1,2,3,e=1,c=4)):
    try: call()
    except TypeError as err: print(err)
def g(): pass
for call in (lambda: g(1), lambda: g(1,2), lambda: g(x=1), lambda: (lambda x: x)(), lambda: (lambda x,y: x)(), lambda: (lambda x,y,z: x)(), lambda: print(*5), lambda: print(**5), lambda: g(*5), lambda: f(**{'c': 1}, c=2)):
    try: call()
    except TypeError as err: print(err)
