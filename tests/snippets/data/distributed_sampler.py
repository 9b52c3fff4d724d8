# The rows of each of several processes, by DistributedSampler; without a group of processes it wants their numbers
import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler as Same

data = TensorDataset(torch.arange(10.0), torch.arange(10) % 2)
for rank in range(3):
    sampler = DistributedSampler(data, num_replicas=3, rank=rank, shuffle=True, seed=7)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        print(rank, epoch, list(sampler), [x.tolist() for x, _ in loader], len(loader))
print(DistributedSampler is Same, sampler.num_samples, sampler.total_size, sampler.epoch, isinstance(sampler, torch.utils.data.Sampler))
print(list(Same(data, 4, 1, shuffle=False)), list(Same(data, 4, 1, shuffle=False, drop_last=True)))
print(list(Same([1], 4, 2)), len(Same([1], 4, 2, drop_last=True)), list(Same([1, 2, 3], 8, 7)))
for arguments in [{}, {"num_replicas": 2}, {"num_replicas": 2, "rank": 2}, {"num_replicas": 2, "rank": -1}]:
    try:
        DistributedSampler(data, **arguments)
    except ValueError as error:
        print(error)
