# Filling through a mask or an index writes to an expanded tensor, with a warning; what was written last is what all show
import torch


def row():
    return torch.arange(3.0).unsqueeze(0).expand(2, 3)


a = row()
a.masked_fill_(torch.tensor([[True, False, False], [False, True, False]]), float("nan"))
print(a)
b = row()
b[b > 1] = 9
print(b)
c = row()
c[torch.tensor([0])] = torch.tensor([4.0, 5.0, 6.0])
print(c)
d = row()
d[[0, 1], [2, 2]] = torch.tensor([4.0, 5.0])
print(d)
e = row()
e.index_fill_(1, torch.tensor([0, 2]), -1)
print(e, row().index_fill_(0, torch.tensor([1]), -1))
f = row()
f.index_put_((torch.tensor([0, 1]), torch.tensor([1, 1])), torch.tensor([1.0, 1.0]), accumulate=True)
print(f)
mask = torch.zeros(3, dtype=torch.bool).expand(2, 3)
mask[0, 1] = True
print(mask)
row().add_(1)
