"""Workers of a `DataLoader`: where PyTorch starts processes, they take turns here, each with its own random numbers."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.kernels.random import Generator, default_generator

END = object()
"""What a fetcher gives that has no more batches."""


@dataclass(frozen=True)
class WorkerInfo:
    """Which worker runs: ``id`` of ``num_workers``, its ``seed`` and its own ``dataset``."""

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: Any = None
    worker_method: str | None = "multiprocessing"


WorkerInfo.__module__ = "torch.utils.data._utils.worker"


class _Running:
    worker: WorkerInfo | None = None


_running = _Running()


def get_worker_info() -> WorkerInfo | None:
    """The worker that runs; None outside of workers."""
    return _running.worker


class _KeyErrorMessage(str):
    """A text that a KeyError shows as it is."""

    __slots__ = ()
    __repr__ = str.__str__


class Worker:
    """One worker: `begin` makes its fetcher of its copy of the dataset, after `first`, which gets its number; `seed` is
    that of all workers."""

    def __init__(
        self, number: int, count: int, seed: int, dataset: Any, first: Any, begin: Callable[[Any], Callable[[Any], Any]]
    ) -> None:
        try:
            dataset = copy(dataset)
        except Exception:  # what cannot be copied has no state of a worker's
            pass
        self.info = WorkerInfo(number, count, seed + number, dataset)
        self.first, self.begin = first, begin
        self.states: tuple[Any, ...] = vars(Generator()), random.getstate(), np.random.get_state()
        words = np.random.SeedSequence([number, seed & 0xFFFFFFFF, seed >> 32, 0]).generate_state(4)
        self.fetch: Callable[[Any], Any] | None = None
        with self._inside():
            random.seed(seed + number)
            default_generator.manual_seed(seed + number)
            np.random.seed(words)

    def restart(self) -> None:
        """Begin another pass over the dataset."""
        self.fetch = None

    def __call__(self, indices: Any) -> Any:
        """The batch of these rows; what is raised says that it was here."""
        with self._inside():
            try:
                if self.first is not None:
                    self.first, first = None, self.first
                    first(self.info.id)
                if self.fetch is None:
                    self.fetch = self.begin(self.info.dataset)
                return self.fetch(indices)
            except Exception as error:
                failure = error
        raise self._caught(failure) from None

    def _caught(self, error: Exception) -> Exception:
        kind = type(error)
        told = "".join(traceback.format_exception(error))
        text = f"Caught {kind.__name__} in DataLoader worker process {self.info.id}.\nOriginal {told}"
        try:
            return kind(_KeyErrorMessage(text) if kind is KeyError else text)
        except Exception:
            return RuntimeError(text)

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """While this is open, the worker's random numbers come next, and it is the one that runs."""
        self._exchange()
        _running.worker = self.info
        try:
            yield
        finally:
            _running.worker = None
            self._exchange()

    def _exchange(self) -> None:
        outside = dict(vars(default_generator)), random.getstate(), np.random.get_state()
        own, numbers, arrays = self.states
        vars(default_generator).update(own)
        random.setstate(numbers)
        np.random.set_state(arrays)
        self.states = outside
