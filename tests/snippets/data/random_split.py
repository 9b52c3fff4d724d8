# random_split, Subset, ConcatDataset and samplers
import torch
from torch.utils.data import random_split, Subset, TensorDataset, DataLoader, ConcatDataset, WeightedRandomSampler

data = TensorDataset(torch.arange(10))
train, val = random_split(data, [7, 3], generator=torch.Generator().manual_seed(42))
print(len(train), len(val), sorted(train.indices), val.indices)
print([x.item() for (x,) in val])
a, b = random_split(range(6), [0.5, 0.5], generator=torch.Generator().manual_seed(0))
print(list(a), list(b))
sub = Subset(data, [0, 5, 9])
print([int(x) for x, in sub], len(ConcatDataset([sub, val])))
torch.manual_seed(1)
sampler = WeightedRandomSampler([0.1, 0.1, 5.0], num_samples=6)
print(list(sampler))
