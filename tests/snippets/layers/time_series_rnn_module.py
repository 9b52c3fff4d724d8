# nn.LSTM and nn.GRU on a sine wave: packed lengths, hidden state shapes, detach between windows
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
import math

class Forecaster(nn.Module):
    def __init__(self, kind="LSTM", hidden=4, layers=2):
        super().__init__()
        self.kind = kind
        self.rnn = getattr(nn, kind)(1, hidden, num_layers=layers, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        return self.out(h), state

    @staticmethod
    def detach(state):
        return tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()

t = torch.linspace(0, 4 * math.pi, 25)
wave = torch.sin(t)
for kind in ("LSTM", "GRU", "RNN"):
    torch.manual_seed(0)
    m = Forecaster(kind)
    opt = torch.optim.Adam(m.parameters(), lr=0.02)
    state = None
    for k in range(0, 24, 8):
        x, y = wave[k:k + 8].view(1, -1, 1), wave[k + 1:k + 9].view(1, -1, 1)
        pred, state = m(x, state)
        state = m.detach(state)
        loss = nn.functional.mse_loss(pred, y)
        opt.zero_grad(); loss.backward(); opt.step()
        print(kind, k, f"{loss.item():.5f}")
    print(m.rnn, sum(p.numel() for p in m.parameters()))
    print(pred.grad_fn, {n: tuple(p.shape) for n, p in list(m.rnn.named_parameters())[:4]})
seqs = [torch.ones(4, 1), torch.ones(2, 1) * 2, torch.ones(3, 1) * 3]
lens = torch.tensor([len(s) for s in seqs])
padded = pad_sequence(seqs, batch_first=True)
packed = pack_padded_sequence(padded, lens, batch_first=True, enforce_sorted=False)
print(packed.batch_sizes, packed.sorted_indices, packed.data.flatten())
torch.manual_seed(1)
bi = nn.GRU(1, 3, bidirectional=True, batch_first=True)
o, h = bi(packed)
o, l = pad_packed_sequence(o, batch_first=True)
print(o.shape, l, h.shape)
mask = torch.arange(o.size(1))[None] < l[:, None]
loss = (o * mask.unsqueeze(-1)).pow(2).sum() / mask.sum()
loss.backward()
print(loss, bi.weight_ih_l0.grad.flatten(), bi.bias_hh_l0_reverse.grad)
try:
    pack_padded_sequence(padded, lens, batch_first=True)
except RuntimeError as e:
    print(e)
try:
    bi(torch.ones(1, 2, 5))
except RuntimeError as e:
    print(e)
