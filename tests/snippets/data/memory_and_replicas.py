# Memory that is shared: frombuffer and from_dlpack; the share of a replica; arrays and paddings that are compared
import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.testing import assert_close
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

torch.manual_seed(0)
raw = np.arange(8, dtype=np.uint8)
print(torch.frombuffer(raw, dtype=torch.int16, count=2, offset=2))
shared = torch.frombuffer(raw, dtype=torch.uint8)
shared[0] = 9
raw[1] = 7
print(raw[0], shared[1], torch.frombuffer(b"\x00\x00\x80?", dtype=torch.float32, requires_grad=True))
print(torch.frombuffer(b"ab\0", dtype=torch.bool), torch.frombuffer(raw, dtype=torch.bfloat16))
array = np.zeros(3)
alias = torch.from_dlpack(array)
alias += 1
other = torch.zeros(2)
torch.from_dlpack(other)[0] = 3
print(array, other)

data = TensorDataset(torch.arange(10))
sampler = DistributedSampler(data, num_replicas=3, rank=1, seed=3)
loader = DataLoader(data, batch_size=2, sampler=sampler)
for epoch in range(2):
    sampler.set_epoch(epoch)
    print([batch[0].tolist() for batch in loader], len(loader), sampler.total_size)
print(list(DistributedSampler(data, num_replicas=3, rank=2, shuffle=False, drop_last=True)))

up = nn.ConvTranspose2d(1, 1, 3, stride=2, padding=1)
for wrong in (
    lambda: torch.frombuffer(raw, dtype=torch.int32, offset=9),
    lambda: torch.frombuffer(raw, dtype=torch.int32, offset=1),
    lambda: torch.frombuffer(raw, dtype=torch.int32, count=9),
    lambda: torch.frombuffer(raw[::2], dtype=torch.int8),
    lambda: torch.frombuffer([1, 2], dtype=torch.int8),
    lambda: torch.frombuffer(b"", dtype=torch.int8),
    lambda: torch.from_dlpack(torch.ones(1, requires_grad=True)),
    lambda: torch.from_dlpack([1]),
    lambda: DistributedSampler(data),
    lambda: DistributedSampler(data, num_replicas=2, rank=2),
    lambda: pad_sequence([torch.ones(2)], padding_side="both"),
    lambda: up(torch.ones(1, 1, 5, 5), output_size=(12, 10)),
    lambda: assert_close(np.ones(2), np.array([1, 3])),
    lambda: assert_close(np.ones(2), np.array([1.0, 3])),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
