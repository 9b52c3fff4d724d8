# Parameters, modules and buffers under private names
import torch, torch.nn as nn
torch.manual_seed(0)
class M(nn.Module):
    def __init__(self):
        super().__init__(); self._w = nn.Parameter(torch.ones(1)); self._l = nn.Linear(1,1); self.register_buffer("_b", torch.zeros(1)); self._plain = 3
m=M(); print(m._plain); print(m._w); print(m._l.in_features); print(m._b, [n for n,_ in m.named_parameters()])
del m._w
print(hasattr(m,"_w"))
