"""Where scikit-learn's functions draw from, and how they shuffle."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import unwrap
from engine.program.stdlib.numpy.random import RandomState


def generator(random_state: Any) -> np.random.RandomState:
    """The generator of a seed, or the run's own for None. Raises ValueError."""
    if type(random_state) is RandomState:
        source: np.random.RandomState = random_state.state
        return source
    seed = unwrap(random_state)
    if seed is None:
        return sessions.active.numpy_random
    if isinstance(seed, int | np.integer):
        return np.random.RandomState(int(seed))
    raise ValueError("random_state is None or a number here")


def shuffled(source: np.random.RandomState, *arrays: Any) -> tuple[Any, ...]:
    """The rows of all arrays in one random order."""
    order = np.arange(len(arrays[0]))
    source.shuffle(order)
    return tuple([a[order] for a in arrays])


def reserve(rows: Any, columns: Any = 1) -> None:
    """Charge for so many random numbers, before they are drawn."""
    size = max(0, int(rows)) * max(1, int(columns))
    meter.allocate(2 * size, 8)
    meter.charge(1 + (size >> 5))
