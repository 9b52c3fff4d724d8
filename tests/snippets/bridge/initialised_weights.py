# Weights that a program initialises
import torch
import torch.nn as nn
def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        m.bias.data.fill_(0.01)
    elif type(m) == nn.Sequential: print('seq')
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)); net.apply(init_weights)
print(net[0].weight, net[0].bias)
class W(nn.Module):
    def __init__(self):
        super(W, self).__init__()
        self.ps = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(2)])
        self.d = nn.ModuleDict({'a': nn.Linear(1, 1), 'b': nn.ReLU()})
        self.register_parameter('none', None)
        self.scale = 2
        self.names = []
    def __getattr__(self, n):
        try: return super().__getattr__(n)
        except AttributeError:
            if n == 'magic': return 42
            raise
    def __setattr__(self, n, v):
        super().__setattr__(n, v)
    def forward(self, x: torch.Tensor, *, flag: bool = False) -> torch.Tensor:
        return sum(p * x for p in self.ps) * self.scale
    def __repr__(self): return 'W!'
w = W(); print(w, w.magic, w(torch.ones(1), flag=True), list(w.d.keys()), w.none, len(w.ps))
try: w.zzz
except AttributeError as e: print(e)
w.scale = 3; print(w(torch.ones(1)).item(), [n for n, _ in w.named_parameters()])
