"""`random`: Python's generator, with a state of its own for each run, so `random.seed(0)` gives Python's numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.abstract import Sequence
from engine.program.arrays import Scalar
from engine.program.calls import keep
from engine.program.charges import as_integer, compared, copied, written
from engine.program.operators import items
from engine.program.values import Builtin

_PLAIN = (
    "random uniform triangular randint randrange gauss normalvariate lognormvariate expovariate betavariate"
    " gammavariate vonmisesvariate paretovariate weibullvariate"
)


_WORDS = 625
"""Numbers in the state of a generator."""
_SEARCHING = frozenset("betavariate gammavariate vonmisesvariate".split())
"""Functions that draw until a number fits, which with infinity or nan none does."""
_Method = Callable[..., Any]
"""What draws from the generator that is its first argument."""


def _plain(name: str) -> _Method:
    searching = name in _SEARCHING

    def call(generator: random.Random, /, *args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if isinstance(value, str | bytes):
                written(len(value))  # what no number can be read from is quoted
            elif searching and isinstance(value, float | Scalar) and not math.isfinite(value):
                raise ValueError(f"{name}() of {float(value)} never ends")
        return getattr(generator, name)(*args, **kwargs)

    return call


def drawn(count: int) -> None:
    """Charge for random numbers that Python draws one by one."""
    meter.check_length(count)
    meter.charge(count >> 2)


def _getrandbits(generator: random.Random, k: Any, /) -> int:
    bits = as_integer(k)
    if isinstance(bits, int):
        meter.check_bits(bits)
    return generator.getrandbits(bits)


def _randbytes(generator: random.Random, n: Any) -> bytes:
    count = as_integer(n)
    if isinstance(count, int):
        drawn(max(0, count))
    return generator.randbytes(count)


def _seed(generator: random.Random, a: Any = None, version: int = 2) -> None:
    if a is not None and not isinstance(a, int | float | str | bytes):
        raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
    generator.seed(_weighed(a), version)


def _weighed(seed: Any) -> Any:
    if isinstance(seed, str | bytes):
        written(len(seed))
    return seed


def _sequence(values: Any) -> Any:
    if isinstance(values, set | frozenset):
        raise TypeError(f"'{type(values).__name__}' object is not subscriptable")
    return values


def _choice(generator: random.Random, seq: Any) -> Any:
    return generator.choice(_sequence(seq))


def _check_weights(weights: list[Any], count: int) -> None:
    """Refuse weights that Python would join, one longer than the other, before it finds that they are no numbers."""
    if len(weights) != count:
        raise ValueError("The number of weights does not match the population")
    meter.charge(sum([weight.bit_length() for weight in weights if type(weight) is int]) >> 12)
    kind = type(weights[0]) if weights else int
    if issubclass(kind, str | list | tuple):
        other = next((type(weight) for weight in weights if not isinstance(weight, kind)), float)
        raise TypeError(f'can only concatenate {kind.__name__} (not "{other.__name__}") to {kind.__name__}')


def choices(
    generator: random.Random, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
) -> list[Any]:
    """`generator.choices`, charged for."""
    drawn(k)
    given = weights if weights is not None else cum_weights
    compared(len(given) if hasattr(given, "__len__") else 0)
    if isinstance(weights, list | tuple | dict):
        _check_weights(list(weights), len(population))
    return generator.choices(_sequence(population), weights, cum_weights=cum_weights, k=k)


def _sample(generator: random.Random, population: Any, k: int, *, counts: Any = None) -> list[Any]:
    drawn(k)
    if counts is not None:
        counts = items(counts)
        compared(len(counts))
    if isinstance(population, list | tuple) and len(population) < 21 + 16 * k:
        copied(len(population))
    if isinstance(population, Sequence):
        population = list(items(population))
    if isinstance(population, set | frozenset):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    return generator.sample(_sequence(population), k, counts=counts)


def shuffle(generator: random.Random, x: Any) -> None:
    """`generator.shuffle`, charged for."""
    drawn(len(x))
    generator.shuffle(x)


def _getstate(generator: random.Random) -> Any:
    meter.charge(40)
    return generator.getstate()


def _setstate(generator: random.Random, state: Any) -> None:
    """Raises TypeError and ValueError for what is no state."""
    meter.charge(40)
    if not isinstance(state, tuple) or len(state) != 3 or not isinstance(state[1], tuple) or len(state[1]) != _WORDS:
        raise ValueError("state vector is the wrong size")
    generator.setstate(state)


_METHODS: dict[str, _Method] = {
    **{name: _plain(name) for name in _PLAIN.split()},
    "getrandbits": _getrandbits, "randbytes": _randbytes, "getstate": _getstate, "setstate": _setstate, "seed": _seed,
    "choice": _choice, "choices": choices, "sample": _sample, "shuffle": shuffle,
}  # fmt: skip


class Random:
    """`random.Random`: a generator of the program's own."""

    __module__ = "random"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, x: Any = None) -> None:
        meter.charge(10)
        self._generator = random.Random()
        _seed(self._generator, sessions.active.random.random() if x is None else x)


def _of_object(method: _Method) -> Any:
    return lambda self, /, *args, **kwargs: method(self._generator, *args, **kwargs)


def _of_run(method: _Method) -> Any:
    return lambda *args, **kwargs: method(sessions.active.random, *args, **kwargs)


keep(Random)
for _name, _function in _METHODS.items():
    _drawing = _of_object(_function)
    _drawing.__name__, _drawing.__qualname__ = _name, f"Random.{_name}"
    setattr(Random, _name, _drawing)

MODULES: dict[str, dict[str, Any]] = {
    "random": {**{name: Builtin(name, _of_run(method)) for name, method in _METHODS.items()}, "Random": Random}
}
