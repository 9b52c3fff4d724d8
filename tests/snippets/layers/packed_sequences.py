# Sequences of different lengths: pad, pack, run, unpack
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)
seqs = [torch.randn(n, 2) for n in (4, 2, 1)]
padded = pad_sequence(seqs, batch_first=True)
print(padded.shape, padded[2])
packed = pack_padded_sequence(padded, [4, 2, 1], batch_first=True)
print(packed.batch_sizes, packed.data.shape)
for cls in (nn.GRU, nn.LSTM):
    rnn = cls(2, 3, batch_first=True, bidirectional=cls is nn.GRU)
    out, h = rnn(packed)
    out, lengths = pad_packed_sequence(out, batch_first=True)
    print(out.shape, lengths, out[2, 1:].abs().sum().item())
    out.pow(2).mean().backward()
    print([round(p.grad.norm().item(), 4) for p in rnn.parameters()])
