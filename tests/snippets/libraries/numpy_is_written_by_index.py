# what is written into by an index: windows of arrays, and numbers of numpy's, which cannot be
import numpy as np
x = np.float64(1.0)
try: x[0] = 2
except Exception as e: print(type(e).__name__, e)
try: x[0]
except Exception as e: print(type(e).__name__, e)
a = np.zeros(3)
try: a[5] = 1
except Exception as e: print(type(e).__name__, e)
a[1:][0] = 2; a[None, 1] = 4
print(a)
a[np.int64(2)] = 9; a[True] = 3; print(a)
b = np.zeros(())
b[()] = 3; b[...] = 4; print(b)
try: a[0, 0] = 1
except Exception as e: print(type(e).__name__, e)
