# numpy and torch share memory, mix dtypes and refuse each other
import numpy as np
import torch

def attempt(tag, fn):
    try:
        r = fn()
        print(f"{tag:<14}", type(r).__name__, getattr(r, "dtype", ""), r if not isinstance(r, np.ndarray) else r.tolist())
    except Exception as e:
        print(f"{tag:<14} {type(e).__name__}: {e}")

a = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(a)
t[0] = 10
print(a, t.dtype)
a += 1
print(t, torch.as_tensor(a).data_ptr() == t.data_ptr(), torch.tensor(a).data_ptr() == t.data_ptr())
x = torch.ones(3, requires_grad=True)
attempt("t*np", lambda: x * a)
attempt("np*t", lambda: a * x.detach())
attempt("np*grad", lambda: a * x)
attempt("np.sum", lambda: np.sum(x.detach().numpy()))
attempt("np.exp(grad)", lambda: np.exp(x))
attempt("torch.exp(np)", lambda: torch.exp(a))
attempt("np scalar", lambda: x * np.float64(2.5))
attempt("np.pi", lambda: torch.tensor(np.pi))
attempt("int array", lambda: torch.tensor(np.array([1, 2])))
attempt("list np", lambda: torch.tensor([np.float32(1), np.float32(2)]))
attempt("np index", lambda: torch.arange(5)[np.array([0, 2])])
attempt("np mask", lambda: torch.arange(5)[np.array([True, False, True, False, True])])
attempt("np int idx", lambda: torch.arange(5)[np.int64(3)])
attempt("np bool", lambda: torch.where(torch.tensor(np.array([True, False])), 1, 0))
attempt("asarray", lambda: np.asarray(torch.ones(2)))
attempt("np.array", lambda: np.array([torch.tensor(1.0), torch.tensor(2.0)]))
attempt("item", lambda: np.mean([torch.tensor(1.0).item(), 3]))
attempt("tolist", lambda: torch.from_numpy(np.eye(2)).tolist())
attempt("uint16?", lambda: torch.from_numpy(np.array([1, 2], dtype=np.int16)))
attempt("neg stride", lambda: torch.from_numpy(a[::-1]))
attempt("copy()", lambda: torch.from_numpy(a[::-1].copy()))
attempt("reshape", lambda: torch.from_numpy(np.arange(4).reshape(2, 2)).float() @ torch.ones(2))
attempt("double lin", lambda: torch.nn.Linear(3, 1)(torch.from_numpy(a)))
y = (x * torch.from_numpy(a).float()).sum()
y.backward()
print(x.grad.numpy(), x.grad.numpy().dtype, float(y))
g = x.grad.numpy()
g[0] = -1
print(x.grad)
print(np.allclose(x.grad, [-1, 3, 4]), x.detach().abs().max(), isinstance(x.detach().numpy(), np.ndarray))
