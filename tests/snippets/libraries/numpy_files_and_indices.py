"""Files of arrays, arrays in an index, and the iterator of a loader."""

import torch, numpy as np
from torch.utils.data import DataLoader, TensorDataset
d = DataLoader(TensorDataset(torch.arange(6.).view(3,2)), batch_size=2)
it = iter(d)
print(type(it).__name__, len(it), next(it))
try: it.next()
except AttributeError as e: print(e)
for (x,) in it: print(x)
try: np.loadtxt("a.csv")
except FileNotFoundError as e: print(e)
try: np.load("a.npy")
except FileNotFoundError as e: print(e)
np.savetxt("b.csv", np.arange(6.).reshape(2,3), delimiter=",", fmt="%.2f", header="a,b,c")
print(open("b.csv").read())
print(np.loadtxt("b.csv", delimiter=",", dtype=np.float32), np.genfromtxt("b.csv", delimiter=",", skip_header=1))
print(np.loadtxt("b.csv", delimiter=",", usecols=(0, 2), unpack=True))
np.save("c", np.ones((2,2))); print(np.load("c.npy").sum())
x, y = np.loadtxt(["1 2", "3 4"]).T
print(x, y)
y=torch.tensor(3.5, requires_grad=True)
t=torch.ones(3, 2); n=np.array([[1.,2.],[3.,4.]])
for f in (lambda: n[range(1)], lambda: y.data[0], lambda: n[:, y], lambda: y[0], lambda: n[t], lambda: n[torch.tensor([True,False])], lambda: n[torch.tensor([0,1])], lambda: n[torch.tensor(1)], lambda: n[1.5], lambda: n[y]):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
