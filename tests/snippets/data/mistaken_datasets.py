# Mistakes with datasets, samplers and loaders.
import numpy as np
import torch
from torch.utils.data import (
    BatchSampler, ConcatDataset, DataLoader, IterableDataset, RandomSampler, SequentialSampler, Subset, TensorDataset,
    random_split,
)

ds = TensorDataset(torch.arange(10.0))


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(3))


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


shown(lambda: random_split(ds, [0.7, 0.2]))
shown(lambda: random_split(ds, [0.8, 0.3]))
shown(lambda: random_split(ds, [0.5, 0.6]))
shown(lambda: random_split(ds, [3.0, 3.0]))
shown(lambda: random_split(ds, [5.0, 5.0]))
shown(lambda: random_split(ds, [-0.5, 1.5]))
shown(lambda: random_split(ds, 3))
shown(lambda: random_split(ds, ["a"]))
shown(lambda: random_split(ds, [1.5]))
shown(lambda: random_split(ds, []))
shown(lambda: [len(part) for part in random_split(ds, [0.25, 0.25, 0.5])])
shown(lambda: [len(part) for part in random_split(ds, (10,))])
shown(lambda: [len(part) for part in random_split(ds, [1.0])])
shown(lambda: [len(part) for part in random_split(ds, [1])])
shown(lambda: DataLoader([], shuffle=True))
shown(lambda: list(DataLoader([])))
shown(lambda: RandomSampler([]))
shown(lambda: RandomSampler(ds, num_samples=0))
shown(lambda: RandomSampler(ds, num_samples=2.5))
shown(lambda: RandomSampler(ds, replacement=1))
shown(lambda: RandomSampler(ds, num_samples=3).num_samples)
shown(lambda: ConcatDataset([ds])[-11])
shown(lambda: ConcatDataset([ds])[-10])
shown(lambda: ConcatDataset([ds])[10])
shown(lambda: ConcatDataset([Stream()]))
shown(lambda: TensorDataset(np.ones(3)))
shown(lambda: TensorDataset([1, 2]))
shown(lambda: TensorDataset(torch.ones(2), torch.ones(3)))
shown(lambda: TensorDataset(torch.tensor(1.0)))
shown(lambda: torch.utils.data.dataloader.default_collate([1, 2]))
shown(lambda: torch.utils.data.dataloader.default_convert([1, 2]))
loader = DataLoader(ds, batch_size=2)
for name in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"):
    shown(lambda: setattr(loader, name, 3))
loader.num_workers = 0
shown(lambda: DataLoader(ds, batch_size=0))
shown(lambda: DataLoader(ds, batch_size=2.0))
shown(lambda: DataLoader(ds, batch_size="2"))
shown(lambda: DataLoader(ds, shuffle=True).sampler.num_samples)
shown(lambda: len(DataLoader(Stream(), batch_size=2)))
shown(lambda: next(iter(DataLoader(5))))
shown(lambda: Subset(ds, [20])[0])
shown(lambda: SequentialSampler())
shown(lambda: [loader.timeout, loader.pin_memory, loader.worker_init_fn, loader.prefetch_factor,
               loader.persistent_workers, loader.multiprocessing_context])
