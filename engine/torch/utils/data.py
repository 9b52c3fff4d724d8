"""`torch.utils.data`, in memory and in one process."""

from __future__ import annotations

import itertools
import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from types import ModuleType
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.kernels import random
from engine.signatures.native import check
from engine.torch.utils.workers import END, Worker, get_worker_info
from engine.types import dtypes

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "TensorDataset",
    "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "random_split",
]  # fmt: skip


class Dataset:
    """Something with `__getitem__` and `__len__`."""

    __module__ = "torch.utils.data.dataset"

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> ConcatDataset:
        return ConcatDataset([self, other])

    def __class_getitem__(cls, item: Any) -> type:
        return cls


class IterableDataset(Dataset):
    """A dataset that is only iterated."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Dataset) -> Any:
        return ChainDataset([self, other])


class ChainDataset(IterableDataset):
    """Iterable datasets one after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self._iterables())

    def __len__(self) -> int:
        return sum(len(d) for d in self._iterables())

    def _iterables(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise errors.chained_dataset()
            yield dataset


class StackDataset(Dataset):
    """Rows of several datasets side by side: as a tuple, or as a dict when they were given by name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise errors.stack_dataset_mixed()
        members = list(args or kwargs.values())
        if not members:
            raise errors.stack_dataset_empty()
        if any(len(m) != len(members[0]) for m in members):
            raise errors.stack_dataset_sizes()
        self.datasets: Any = args or kwargs
        self._length = len(members[0])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: d[index] for name, d in self.datasets.items()}
        return tuple(d[index] for d in self.datasets)

    def __len__(self) -> int:
        return self._length


class TensorDataset(Dataset):
    """Rows of several tensors with the same first dimension."""

    def __init__(self, *tensors: Tensor) -> None:
        counts = [_native(t).size if hasattr(t, "__array__") and not isinstance(t, Tensor) else t.size for t in tensors]
        if any(count(0) != counts[0](0) for count in counts):
            raise errors.dataset_size_mismatch()
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0]._array.shape[0])


class ConcatDataset(Dataset):
    """Datasets one after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise errors.empty_concat_dataset()
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise errors.concat_iterable_dataset()
        self.cumulative_sizes = list(itertools.accumulate(len(d) for d in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise errors.concat_index()
            index += len(self)
        start = 0
        for dataset, end in zip(self.datasets, self.cumulative_sizes, strict=True):
            if index < end:
                return dataset[index - start]
            start = end
        raise IndexError("list index out of range")


STANDS_FOR: dict[type, tuple[int, int]] = {}
"""How many rows the real training and test set have, by the class of what stands in for them with fewer."""


def _real_rows(dataset: Any) -> int:
    """As many rows as programs expect of a stand-in; 0 for any other dataset."""
    found = next((STANDS_FOR[base] for base in type(dataset).__mro__ if base in STANDS_FOR), None)
    return 0 if found is None else found[0 if dataset.train else 1]


def _fills_batches(dataset: Any, batch_size: Any) -> bool:
    """Whether the rows of a real set fill their last batch, too, where those of its stand-in fill only the first."""
    real = _real_rows(dataset)
    return real > 0 and isinstance(batch_size, int) and 0 < batch_size < len(dataset) and not real % batch_size


def _rows_there(dataset: Any, indices: Any) -> Any:
    """Where rows of the real set are asked of a stand-in, as large a share of its own, each in one share only."""
    real = _real_rows(dataset)
    if not real:
        return indices
    there = len(dataset)
    wanted = [int(i) for i in indices]
    if not any(there <= i < real for i in wanted):
        return indices
    shared = [i * there // real if 0 <= i < real else i for i in wanted]
    firsts = [row for i, row in zip(wanted, shared, strict=True) if i == -(-row * real // there) or row == i]
    return firsts or list(dict.fromkeys(shared))


class Subset(Dataset):
    """Some rows of a dataset."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, _rows_there(dataset, indices)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[Any]) -> Any:
        return _rows(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: random.Generator | None = None) -> list[Subset]:
    """Disjoint random subsets of the given lengths, or of fractions that add up to 1."""
    total = len(dataset)
    sizes: list[Any] = list(lengths)
    if math.isclose(sum(sizes), 1) and sum(sizes) <= 1:
        for place, share in enumerate(sizes):
            if not 0 <= share <= 1:
                raise errors.random_split_fraction(place)
        sizes = [math.floor(total * share) for share in sizes]
        for i in range(total - sum(sizes)):
            sizes[i % len(sizes)] += 1
        for place, size in enumerate(sizes):
            if not size:
                errors.warn_empty_split(place)
    if sum(sizes) != total and 0 < sum(sizes) == (real := _real_rows(dataset)):
        bounds = [end * total // real for end in itertools.accumulate(sizes, initial=0)]
        sizes = [end - start for start, end in itertools.pairwise(bounds)]
    if sum(sizes) != total:
        raise errors.random_split_lengths()
    check("torch", "randperm", (sum(sizes),), {"generator": generator or random.default_generator})
    order = (generator or random.default_generator).permutation(total).tolist()
    ends = list(itertools.accumulate(sizes))
    return [Subset(dataset, order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


class Sampler:
    """The order in which a loader visits rows."""

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.data_source)


class SequentialSampler(Sampler):
    """First to last."""

    def __init__(self, data_source: Any) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))


class RandomSampler(Sampler):
    """A random order, or draws with replacement."""

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: random.Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        self.replacement, self._count, self.generator = replacement, num_samples, generator
        if not isinstance(replacement, bool):
            raise errors.random_sampler_replacement(replacement)
        count = self.num_samples
        if not isinstance(count, int) or count <= 0:
            raise errors.sampler_count(count)

    @property
    def num_samples(self) -> int:
        return len(self.data_source) if self._count is None else self._count

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        size = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = random.Generator()
            generator.manual_seed(_seed())
        if self.replacement:
            for left in range(len(self), -1, -32):
                yield from generator.integers(0, size, (min(32, left),)).tolist()
            return
        for _ in range(len(self) // size):
            yield from generator.permutation(size).tolist()
        yield from generator.permutation(size).tolist()[: len(self) % size]


class SubsetRandomSampler(Sampler):
    """The given indices in a random order."""

    def __init__(self, indices: Sequence[int], generator: random.Generator | None = None) -> None:
        super().__init__()
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        order = (self.generator or random.default_generator).permutation(len(self.indices)).tolist()
        return iter([self.indices[i] for i in order])

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Draws with the given weights, which need not add up to 1."""

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: random.Generator | None = None
    ) -> None:
        super().__init__()
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise errors.sampler_count(num_samples)
        if not isinstance(replacement, bool):
            raise errors.sampler_replacement(replacement)
        self.weights = TORCH["as_tensor"](_native(weights), dtype=dtypes.float64)
        if self.weights.ndim != 1:
            raise errors.sampler_weights(tuple(self.weights._array.shape))
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = TORCH["multinomial"](self.weights, self.num_samples, self.replacement, generator=self.generator)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class DistributedSampler(Sampler):
    """The rows that one of several processes visits: every `num_replicas`-th, of an order that all of them share."""

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise errors.no_process_group()
        if rank >= num_replicas or rank < 0:
            raise errors.sampler_rank(rank, num_replicas)
        self.dataset, self.num_replicas, self.rank, self.epoch = dataset, num_replicas, rank, 0
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        count = len(dataset)
        self.num_samples = count // num_replicas if drop_last else -(-count // num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        size = len(self.dataset)
        order = list(range(size))
        if self.shuffle:
            generator = random.Generator()
            generator.manual_seed(self.seed + self.epoch)
            order = generator.permutation(size).tolist()
        return iter([order[i % size] for i in range(self.rank, self.total_size, self.num_replicas)])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Make the order another one, which is the same in all processes."""
        self.epoch = epoch


def _rows(dataset: Any, indices: Any) -> Any:
    """The rows of a batch: one by one, unless the dataset gives several at once."""
    several = getattr(dataset, "__getitems__", None)
    return several(indices) if several else [dataset[i] for i in indices]


def _are_rows(indices: Any, count: int) -> bool:
    """Whether these are numbers of rows that there are, and not too few to be read at once."""
    return type(indices) is list and len(indices) > 1 and all(type(i) is int and 0 <= i < count for i in indices)


def _seed() -> int:
    """One 64-bit draw from the default generator, as loaders and samplers take it."""
    return int(random.default_generator.full_range(()))


class BatchSampler(Sampler):
    """Lists of indices of another sampler."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise errors.loader_batch_size(batch_size)
        if not isinstance(drop_last, bool):
            raise errors.loader_drop_last(drop_last)
        super().__init__(sampler)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        size = len(self.sampler)
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)


def _native(value: Any) -> Any:
    """An array or a number of numpy for what stands for one in a program; anything else as it is."""
    return np.asarray(value)[()] if hasattr(value, "__array__") and not isinstance(value, Tensor) else value


def default_collate(batch: Sequence[Any]) -> Any:
    """A batch of rows as tensors: tensors stacked, numbers collected, containers element by element."""
    first = batch[0]
    if isinstance(first, Tensor):
        return TORCH["stack"](list(batch))
    if hasattr(first, "__array__"):
        rows = [_native(row) for row in batch]
        if rows[0].dtype.kind in "SU":
            raise errors.collate_type(rows[0].dtype)
        return TORCH["as_tensor"](rows) if not rows[0].ndim else ops.stack([TORCH["as_tensor"](row) for row in rows])
    if isinstance(first, float):
        return TORCH["tensor"](list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return TORCH["tensor"](list(batch))
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return _like(first, {key: default_collate([row[key] for row in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(row) != len(first) for row in batch):
            raise errors.collate_lengths()
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise errors.collate_type(type(first))


def default_convert(data: Any) -> Any:
    """One row as it is, with numpy arrays as tensors, also in containers."""
    if isinstance(data, Tensor | str | bytes):
        return data
    if hasattr(data, "__array__"):
        array = _native(data)
        return data if array.dtype.kind in "SU" else TORCH["as_tensor"](array)
    if isinstance(data, Mapping):
        return _like(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(value) for value in data))
    if isinstance(data, Sequence):
        return [default_convert(value) for value in data]
    return data


_MAPPINGS = frozenset({OrderedDict, defaultdict, Counter})


def _like(mapping: Mapping[Any, Any], values: dict[Any, Any]) -> Any:
    """The values in a mapping of the same kind."""
    if type(mapping) not in _MAPPINGS:
        return values
    result: Any = copy(mapping)
    result.update(values)
    return result


class _BaseDataLoaderIter:
    """The batches of one pass over a loader."""

    __module__ = "torch.utils.data.dataloader"

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        self._base_seed = _seed() if loader.generator is None else int(loader.generator.full_range(()))
        self._fetchers = self._begin()
        self._rest = self._batches()

    def _begin(self) -> list[Callable[[Any], Any]]:
        return [self._loader._fetcher(self._loader.dataset)]

    def _batches(self) -> Iterator[Any]:
        """The batches of those who fetch them, in turn, until none has more."""
        loader, left = self._loader, deque(self._fetchers)
        todo = itertools.repeat(None) if loader._iterable else iter(loader.batch_sampler or loader.sampler)
        while left and (indices := next(todo, END)) is not END:
            batch = left[0](indices)
            if batch is END:
                left.popleft()
            else:
                left.rotate(-1)
                yield batch

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._next_data()

    def _next_data(self) -> Any:
        return next(self._rest)

    def __len__(self) -> int:
        return len(self._loader)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Of a loader without workers."""

    __module__ = "torch.utils.data.dataloader"


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Of a loader with workers."""

    __module__ = "torch.utils.data.dataloader"

    def _begin(self) -> list[Callable[[Any], Any]]:
        loader, count = self._loader, self._loader.num_workers
        told = loader.dataset, loader.worker_init_fn, loader._fetcher
        return [Worker(number, count, self._base_seed, *told) for number in range(count)]

    def _again(self) -> None:
        """Begin another pass with the same workers."""
        for worker in self._fetchers:
            worker.restart()  # type: ignore[attr-defined]
        self._rest = self._batches()


_SETTLED = frozenset({"batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"})
"""What a loader does not let change once it is made."""


class DataLoader:
    """Batches of a dataset: shuffled, collated."""

    __module__ = "torch.utils.data.dataloader"
    _initialized = False
    _iterator: _MultiProcessingDataLoaderIter | None = None

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        multiprocessing_context: Any = None,
        generator: random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise errors.loader_workers()
        if timeout < 0:
            raise errors.loader_timeout()
        if not num_workers and prefetch_factor is not None:
            raise errors.loader_prefetch()
        if not num_workers and persistent_workers:
            raise errors.loader_persistence()
        if isinstance(dataset, IterableDataset):
            for name, value in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise errors.iterable_option(name, value)
        if sampler is not None and shuffle:
            raise errors.sampler_with_shuffle()
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise errors.batch_sampler_with_others()
        elif batch_size is None and drop_last:
            raise errors.drop_last_without_batches()
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.generator, self.pin_memory, self.timeout = num_workers, generator, pin_memory, timeout
        self.worker_init_fn, self.multiprocessing_context = worker_init_fn, multiprocessing_context
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.persistent_workers, self.pin_memory_device, self.in_order = persistent_workers, pin_memory_device, in_order
        batched = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)
        self._iterable = isinstance(dataset, IterableDataset)
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None and not self._iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last or _fills_batches(dataset, batch_size))
        self.batch_sampler = batch_sampler
        self._initialized = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _SETTLED and self._initialized:
            raise errors.loader_attribute(name, type(self).__name__)
        object.__setattr__(self, name, value)

    def __iter__(self) -> Iterator[Any]:
        if not self.persistent_workers:
            return (_MultiProcessingDataLoaderIter if self.num_workers else _SingleProcessDataLoaderIter)(self)
        if self._iterator is None:
            self._iterator = _MultiProcessingDataLoaderIter(self)
        else:
            self._iterator._again()
        return self._iterator

    def _fetcher(self, dataset: Any) -> Callable[[Any], Any]:
        """What gives the batch of these rows of a dataset; of one that is iterated, the next one, until `END`."""
        rows = iter(dataset) if self._iterable else None

        def fetch(indices: Any) -> Any:
            if rows is None:
                if self.batch_sampler is None:
                    return self.collate_fn(dataset[indices])
                batch = self._unseen(dataset, indices)
                return self.collate_fn(_rows(dataset, indices)) if batch is None else batch
            if self.batch_size is None:
                row: Any = next(rows, END)
                return END if row is END else self.collate_fn(row)
            batch = list(itertools.islice(rows, self.batch_size))
            return self.collate_fn(batch) if len(batch) > (self.drop_last and self.batch_size - 1) else END

        return fetch

    def _unseen(self, dataset: Any, indices: Any) -> Any:
        """The batch of these rows of tensors, all read at once where nobody sees one by one; None for others."""
        observer = state.observer
        if observer is not None and not observer.blind or state.unusual or self.collate_fn is not default_collate:
            return None
        rows = indices
        if type(dataset) is Subset and type(dataset.indices) is list and _are_rows(rows, len(dataset.indices)):
            dataset, rows = dataset.dataset, [dataset.indices[i] for i in rows]
        members = dataset.tensors if type(dataset) is TensorDataset else (dataset,)
        if not all(
            type(t) is Tensor and t._array.ndim and t._array.flags.c_contiguous and not t._requires_grad
            for t in members
        ):
            return None
        if not _are_rows(rows, min(t._array.shape[0] for t in members)):
            return None
        place = constant(np.array(rows, np.int64))
        batch = [ops.index(t, [place], (0,)) for t in members]
        return batch if dataset is not members[0] else batch[0]

    def __len__(self) -> int:
        if self._iterable:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


def _submodule(name: str, *members: str) -> ModuleType:
    module = ModuleType(f"{__name__}.{name}")
    module.__dict__["__all__"] = list(members)
    for member in members:
        value = globals()[member]
        setattr(module, member, value)
        if isinstance(value, type):
            value.__module__ = f"torch.utils.data.{name}"
    return module


dataloader = _submodule("dataloader", "DataLoader", "default_collate", "default_convert", "get_worker_info")
dataset = _submodule(
    "dataset",
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "StackDataset",
    "Subset",
    "TensorDataset",
    "random_split",
)
sampler = _submodule(
    "sampler",
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
)
distributed = _submodule("distributed", "DistributedSampler")
