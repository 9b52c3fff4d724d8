# Blocks with keyword arguments
import torch
from torch import nn
torch.manual_seed(0)
class Block(nn.Module):
    def __init__(self, d, **kw):
        super(Block, self).__init__()
        self.lin = nn.Linear(d, d, **kw)
    def extra_repr(self): return f'd={self.lin.in_features}'
    def forward(self, x, scale=1.): return x + scale * self.lin(x)
class Deep(Block):
    def __init__(self, d):
        super().__init__(d, bias=False)
        self.more = nn.Sequential(*[Block(d) for _ in range(2)])
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(self.more(super().forward(x, scale=0.5)))
    def __call__(self, *a, **k):
        print('called'); return super().__call__(*a, **k)
    @property
    def device_name(self): return 'cpu'
    @staticmethod
    def helper(x): return x * 2
m = Deep(2); m.eval(); print(m, m.device_name, m.helper(2)); print(m(torch.ones(1, 2)).shape)
m.register_forward_hook(lambda mod, i, o: print('fwd', type(mod).__name__, i[0].shape))
m.register_full_backward_hook(lambda mod, gi, go: print('bwd', gi[0].shape))
m(torch.ones(1, 2, requires_grad=True)).sum().backward()
m.nonexistent.foo
