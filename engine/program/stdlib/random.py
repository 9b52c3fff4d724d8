"""`random`: Python's generator, with a state of its own for each run, so `random.seed(0)` gives Python's numbers."""

from __future__ import annotations

import math
import random
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import Scalar
from engine.program.charges import compared, copied, written
from engine.program.operators import items
from engine.program.values import Builtin, Module

_PLAIN = (
    "random uniform triangular randint randrange getrandbits gauss normalvariate lognormvariate expovariate"
    " betavariate gammavariate vonmisesvariate paretovariate weibullvariate"
)


_WORDS = 625
"""Numbers in the state of a generator."""
_SEARCHING = frozenset("betavariate gammavariate vonmisesvariate".split())
"""Functions that draw until a number fits, which with infinity or nan none does."""


def _method(name: str) -> Builtin:
    searching = name in _SEARCHING

    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if isinstance(value, str | bytes):
                written(len(value))  # what no number can be read from is quoted
            elif searching and isinstance(value, float | Scalar) and not math.isfinite(value):
                raise ValueError(f"{name}() of {float(value)} never ends")
        return getattr(sessions.active.random, name)(*args, **kwargs)

    return Builtin(name, call)


def drawn(count: int) -> None:
    """Charge for random numbers that Python draws one by one."""
    meter.check_length(count)
    meter.charge(count >> 2)


def _getrandbits(bits: int) -> int:
    meter.check_bits(bits)
    return sessions.active.random.getrandbits(bits)


def _seed(a: Any = None, version: int = 2) -> None:
    if a is not None and not isinstance(a, int | float | str | bytes):
        raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
    sessions.active.random.seed(_weighed(a))


def _weighed(seed: Any) -> Any:
    if isinstance(seed, str | bytes):
        written(len(seed))
    return seed


def _sequence(values: Any) -> Any:
    if isinstance(values, list | tuple | str | range):
        return values
    if isinstance(values, dict | set | frozenset):
        raise TypeError(f"'{type(values).__name__}' object is not subscriptable")
    return values


def _choice(seq: Any) -> Any:
    return sessions.active.random.choice(_sequence(seq))


def _check_weights(weights: list[Any], count: int) -> None:
    """Refuse weights that Python would join, one longer than the other, before it finds that they are no numbers."""
    if len(weights) != count:
        raise ValueError("The number of weights does not match the population")
    meter.charge(sum([weight.bit_length() for weight in weights if type(weight) is int]) >> 12)
    kind = type(weights[0]) if weights else int
    if issubclass(kind, str | list | tuple):
        other = next((type(weight) for weight in weights if not isinstance(weight, kind)), float)
        raise TypeError(f'can only concatenate {kind.__name__} (not "{other.__name__}") to {kind.__name__}')


def _choices(population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> list[Any]:
    drawn(k)
    given = weights if weights is not None else cum_weights
    compared(len(given) if hasattr(given, "__len__") else 0)
    if isinstance(weights, list | tuple | dict):
        _check_weights(list(weights), len(population))
    return sessions.active.random.choices(_sequence(population), weights, cum_weights=cum_weights, k=k)


def _sample(population: Any, k: int, *, counts: Any = None) -> list[Any]:
    drawn(k)
    if counts is not None:
        counts = items(counts)
        compared(len(counts))
    if isinstance(population, list | tuple) and len(population) < 21 + 16 * k:
        copied(len(population))
    if isinstance(population, set | frozenset):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    return sessions.active.random.sample(_sequence(population), k, counts=counts)


def _shuffle(x: Any) -> None:
    drawn(len(x))
    sessions.active.random.shuffle(x)


def _getstate(generator: random.Random) -> Any:
    meter.charge(40)
    return generator.getstate()


def _setstate(generator: random.Random, state: Any) -> None:
    """Raises TypeError and ValueError for what is no state."""
    meter.charge(40)
    if not isinstance(state, tuple) or len(state) != 3 or not isinstance(state[1], tuple) or len(state[1]) != _WORDS:
        raise ValueError("state vector is the wrong size")
    generator.setstate(state)


def _own_generator(seed: Any = None) -> Module:
    """`random.Random(seed)`: a generator of the program's own."""
    meter.charge(10)
    generator = random.Random(sessions.active.random.random() if seed is None else _weighed(seed))
    return Module.of(
        "random.Random",
        {
            **{name: Builtin(name, getattr(generator, name)) for name in _PLAIN.split() if name != "getrandbits"},
            "getstate": Builtin("getstate", lambda: _getstate(generator)),
            "setstate": Builtin("setstate", lambda state: _setstate(generator, state)),
            "seed": Builtin("seed", lambda a=None, version=2: generator.seed(_weighed(a), version)),
            "choice": Builtin("choice", lambda seq: generator.choice(_sequence(seq))),
            "shuffle": Builtin("shuffle", lambda x: generator.shuffle(_shuffled(x))),
            "sample": Builtin("sample", lambda population, k: generator.sample(_sequence(population), _checked(k))),
        },
    )


def _shuffled(values: Any) -> Any:
    drawn(len(values))
    return values


def _checked(length: int) -> int:
    drawn(length)
    return length


MODULES: dict[str, dict[str, Any]] = {
    "random": {
        **{name: _method(name) for name in _PLAIN.split()},
        "getrandbits": Builtin("getrandbits", _getrandbits),
        "getstate": Builtin("getstate", lambda: _getstate(sessions.active.random)),
        "setstate": Builtin("setstate", lambda state: _setstate(sessions.active.random, state)),
        "seed": Builtin("seed", _seed),
        "choice": Builtin("choice", _choice),
        "choices": Builtin("choices", _choices),
        "sample": Builtin("sample", _sample),
        "shuffle": Builtin("shuffle", _shuffle),
        "Random": Builtin("Random", _own_generator),
    }
}
