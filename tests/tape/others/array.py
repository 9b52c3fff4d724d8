import numpy as np

def f(x):
    return x * 2, x

a = np.zeros(3)
a[0] = f(2)[0]
print(a)
