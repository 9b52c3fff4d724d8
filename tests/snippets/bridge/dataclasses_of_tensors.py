# Dataclasses of tensors
import torch
from typing import NamedTuple, Optional
from dataclasses import dataclass
@dataclass
class Batch:
    x: torch.Tensor
    y: Optional[torch.Tensor] = None
b = Batch(torch.ones(1)); print(b)
from collections import namedtuple
P = namedtuple('P', ['w', 'b']); p = P(torch.ones(1), torch.zeros(1)); print(p, p.w * 2)
class RNN(torch.nn.Module):
    def __init__(self, h):
        super().__init__(); self.h = h; self.cell = torch.nn.RNNCell(1, h)
    def forward(self, xs, hx=None):
        outs = []
        hx = torch.zeros(1, self.h) if hx is None else hx
        for x in xs: hx = self.cell(x, hx); outs.append(hx)
        return torch.stack(outs), hx
torch.manual_seed(0)
o, h = RNN(2)(torch.ones(3, 1, 1)); print(o.shape, h)
lstm = torch.nn.LSTM(1, 2, batch_first=True); out, (hn, cn) = lstm(torch.ones(1, 3, 1)); print(out.shape, hn.shape)
emb = torch.nn.Embedding(3, 2); print(emb(torch.tensor([0, 2])).shape)
mods = {'relu': torch.nn.ReLU(), 'tanh': torch.tanh}; print({k: f(torch.tensor([-1.])) for k, f in mods.items()})
losses = [torch.nn.MSELoss(), torch.nn.L1Loss(reduction='sum')]; print([l(torch.ones(2), torch.zeros(2)) for l in losses], losses[0])
