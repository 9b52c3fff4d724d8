# Elements written through a storage: all tensors of the memory have them, and no version counts it.
import torch

a = torch.arange(6).float()
b, c = a.view(2, 3), a[2:]
print(id(a.storage()) == id(b.storage()) == id(c.storage()), c.storage_offset())
c.storage()[0] = -200
c[0] = -100
print(a, a._version)
s = a.storage()
s[-1] = 9
s[1:3] = 7
s[3] = torch.tensor(2.5)
print(b, s[5])

d = torch.Tensor(c.storage())
d[0] = 666
e = torch.FloatTensor(b.storage())
e[4] = 55
print(a, d.shape)


def tried(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, str(error)[:90])


tried(lambda: s.__setitem__(10, 7))
tried(lambda: s.__setitem__("a", 7))
tried(lambda: s.__setitem__(0, "x"))
tried(lambda: torch.LongTensor(s))
i = torch.arange(3)
i.storage()[1] = 10
i.storage()[0] = 2.7
print(i, torch.Tensor(s.clone()), s.fill_(3).tolist(), a)

x = torch.ones(3, requires_grad=True)
y = x * 2
z = y * y
y.storage()[0] = 10.0
z.sum().backward()
print(x.grad, y._version)
