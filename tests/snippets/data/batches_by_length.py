# A batch sampler by length, collate with dicts, generator-based loader and worker arguments
import torch, random
from torch.utils.data import Sampler, DataLoader, Dataset, default_collate
random.seed(0); torch.manual_seed(0); data = [torch.ones(n) * n for n in (3, 1, 2, 3, 1)]
class ByLength(Sampler):
    def __init__(s, data, size): s.data, s.size = data, size
    def __iter__(s):
        idx = sorted(range(len(s.data)), key=lambda i: len(s.data[i])); batches = [idx[i:i + s.size] for i in range(0, len(idx), s.size)]; random.shuffle(batches); yield from batches
    def __len__(s): return -(-len(s.data) // s.size)
dl = DataLoader(data, batch_sampler=ByLength(data, 2), collate_fn=lambda b: {"x": torch.nn.utils.rnn.pad_sequence(b, True), "n": torch.tensor([len(t) for t in b])}, num_workers=0, pin_memory=False)
for b in dl: print(b)
print(len(dl), default_collate([(1, "a", torch.ones(1)), (2, "b", torch.zeros(1))]), default_collate([{"a": 1.5}, {"a": 2}]), default_collate([[1, 2], [3, 4]]))
