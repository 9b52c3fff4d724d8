# Copies of tensors that share memory share theirs, and keep attributes
import copy
import torch, torch.nn as nn
x = torch.arange(6.).reshape(2, 3); x.note = ['a']
c = copy.deepcopy([x, x, x[0], x.T, x[:, 1:]])
print(c[0] is c[1], c[2].data_ptr() == c[0].data_ptr(), c[3].untyped_storage().data_ptr() == c[0].untyped_storage().data_ptr())
c[0][0, 0] = 9; c[4][1, 1] = 7; print(c[2], c[3], c[0], x, c[4].stride(), c[4].storage_offset(), c[0].note, c[0].note is x.note)
row = copy.deepcopy(x[1]); print(row, row.storage_offset(), len(row.untyped_storage()), row._base is None, row.is_leaf)
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, bias=False); self.b = nn.Linear(2, 2, bias=False); self.b.weight = self.a.weight
        self.register_buffer('whole', torch.arange(4.)); self.register_buffer('part', self.whole[:2])
torch.manual_seed(0)
m = Tied(); d = copy.deepcopy(m)
print(d.a.weight is d.b.weight, d.a.weight is m.a.weight, d.part.data_ptr() == d.whole.data_ptr(), len(list(d.parameters())))
d.whole[0] = 7; print(d.part, m.part)
d.a(torch.ones(1, 2)).sum().backward(); print(d.b.weight.grad, m.a.weight.grad)
g = torch.ones(2, requires_grad=True); (g * 2).sum().backward(); e = copy.deepcopy(g); print(e, e.grad, e.grad is g.grad)
s = torch.tensor(3.); t = copy.deepcopy((s, s.view(1), s)); t[0].fill_(4.); print(t, t[0] is t[2], s)
b = torch.ones(3, dtype=torch.bfloat16); k = copy.deepcopy([b, b[1:]]); k[0][1] = 2; print(k)
try: copy.deepcopy(g * 2)
except RuntimeError as error: print(str(error)[:40])
