"""`numpy.random`: numpy's own generators, so that seeds give the same numbers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import Array, Scalar, argument, as_array, overwriting, to_dtype, unwrap, wrap
from engine.program.calls import CONSTRUCTORS
from engine.program.charges import as_integer
from engine.program.kinds import missing
from engine.program.stdlib.numpy.making import dims_of
from engine.program.tables import LISTED, READERS
from engine.program.values import Builtin


def _whole(value: Any) -> Any:
    """Integers of numpy as Python's."""
    return as_integer(value) if isinstance(value, Scalar) else value


Source = Callable[[], np.random.RandomState]


def _session() -> np.random.RandomState:
    return sessions.active.numpy_random


def _draw(name: str, shape_at: int | None, source: Source | Callable[[], np.random.Generator]) -> Builtin:
    def draw(*args: Any, **kwargs: Any) -> Any:
        values = [argument(arg) for arg in args]
        options = {key: argument(value) for key, value in kwargs.items()}
        _reserve_draws(name, shape_at, values, options)
        if "dtype" in options:
            options["dtype"] = to_dtype(kwargs["dtype"])
        return wrap(getattr(source(), name)(*values, **options))

    return Builtin(name, draw)


def _reserve_draws(name: str, shape_at: int | None, values: list[Any], options: dict[str, Any]) -> None:
    """Charge random numbers before they are drawn. `shape_at`: the place of `size`; None where all arguments are it."""
    size: Any = tuple(values)
    parameters: list[Any] = []
    if shape_at is not None:
        size = options.get("size", values[shape_at] if len(values) > shape_at else None)
        parameters = [value for place, value in enumerate(values) if place != shape_at]
        parameters += [value for key, value in options.items() if key not in ("size", "dtype")]
    if name == "zipf" and parameters and np.size(parameters[0]) and np.min(parameters[0]) < 1.001:
        raise ValueError("zipf() draws for a of at least 1.001 here")  # below, it may search for very long
    vector = _VECTORS.get(name)
    if size is not None:
        drawn = math.prod(dims_of(size))
    elif vector is not None:
        drawn = 1
    else:
        drawn = math.prod(_broadcast_shape(parameters))
        meter.allocate(drawn, 8)
    if vector is not None:
        place, key = vector
        length = int(np.size(options.get(key, values[place] if len(values) > place else 0)))
        drawn *= length
        meter.allocate(drawn, 8)
        meter.work(60 * length**3 if name == "multivariate_normal" else 0)
    meter.charge(drawn >> (2 if name == "zipf" else 5))


def _broadcast_shape(values: list[Any]) -> tuple[int, ...]:
    """The shape of values together; of those that do not fit together, which numpy refuses, that of none."""
    try:
        return np.broadcast_shapes(*map(np.shape, values))
    except ValueError:
        return ()


_WORDS = 624
"""Words of a Mersenne twister's state."""


def _legacy(source: Source) -> dict[str, Any]:
    """The functions of `numpy.random`, which are the methods of a `RandomState` too."""

    def seed(seed: Any = None) -> None:
        source().seed(unwrap(seed))

    def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        dims_of(() if size is None else size)
        meter.charge(_count(size) >> 5)
        a = _whole(a)
        if isinstance(a, int):
            values: Any = a
            if not replace:
                dims_of(a)
                meter.charge(a >> 5)
        else:
            values = as_array(a, texts=True)
            meter.allocate(_count(size), values.itemsize)
        return wrap(source().choice(values, size, replace, None if p is None else as_array(p)))

    def permutation(x: Any) -> Any:
        x = _whole(x)
        if isinstance(x, int):
            dims_of(x)
        meter.charge((x if isinstance(x, int) else len(x)) >> 5)
        return wrap(source().permutation(x if isinstance(x, int) else as_array(x, texts=True)))

    def shuffle(x: Any) -> None:
        meter.charge(len(x) >> (1 if isinstance(x, list) else 4))
        source().shuffle(x if isinstance(x, list) else overwriting(as_array(x, texts=True)))

    def get_state() -> tuple[Any, ...]:
        kind, key, *rest = source().get_state()
        return kind, wrap(key), *rest

    def set_state(state: Any) -> None:
        if not isinstance(state, list | tuple) or not 3 <= len(state) <= 5:
            raise TypeError("state must be a dict or a tuple.")
        kind, key, position, *rest = map(argument, state)
        if kind != "MT19937":
            raise ValueError("set_state can only be used with legacy MT19937 state instances.")
        at = as_integer(position)
        if not isinstance(at, int) or not 0 <= at <= _WORDS or np.shape(key) != (_WORDS,):  # numpy reads there
            raise ValueError(f"the state of a generator has {_WORDS} words, and a position in them")
        source().set_state((kind, np.asarray(key).astype(np.uint32), at, *rest))

    def random_integers(low: Any, high: Any = None, size: Any = None) -> Any:
        first, last = (1, low) if high is None else (low, high)
        warnings.warn(
            f"This function is deprecated. Please call randint({first}, {last} + 1) instead",
            DeprecationWarning, stacklevel=1,
        )  # fmt: skip
        found = drawing["randint"].function(first, int(_whole(last)) + 1, size)
        return wrap(np.int64(found)) if isinstance(found, int) else found

    plain = {
        function.__name__: Builtin(function.__name__, function)
        for function in (random_integers, seed, choice, permutation, shuffle, get_state, set_state, _bytes(source))
    }
    drawing = {name: _draw(name, at, source) for name, at in _SHAPES.items()}
    aliases = {name: _draw("random_sample", 0, source) for name in ("ranf", "sample")}
    return {**drawing, **aliases, **plain}


def _count(size: Any) -> int:
    """How many numbers a `size` asks for."""
    dims = size if isinstance(size, list | tuple) else (size,)
    return math.prod([int(dim) for dim in dims if isinstance(dim, int | np.integer) and dim > 0])


def _pool(a: Any, size: Any, replace: Any) -> Any:
    """What a choice is made from, charged; a number stands for a range, which is made where nothing comes twice."""
    meter.charge(_count(size) >> 5)
    dims_of(() if size is None else size)
    a = _whole(a)
    if isinstance(a, int):
        if not replace:
            meter.charge(min(a, 16 * _count(size)) >> 5)
        return a
    values = as_array(a, texts=True)
    meter.allocate(_count(size), values.itemsize)
    return values


def _shuffled(x: Any) -> Any:
    meter.charge(len(x) >> (1 if isinstance(x, list) else 4))
    return x if isinstance(x, list) else overwriting(as_array(x, texts=True))


class RandomState:
    """`numpy.random.RandomState`: what it draws with, and its methods."""

    __slots__ = ("methods", "state")

    def __init__(self, state: Any, methods: dict[str, Any]) -> None:
        self.state, self.methods = state, methods

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"{self.state} at {sessions.active.identity(self):#X}".replace("0X", "0x")

    def __deepcopy__(self, memo: Any) -> Any:
        meter.charge(40)
        return _of_state(deepcopy(self.state))


class Generator(RandomState):
    """`numpy.random.Generator`."""

    __slots__ = ()


class BitGenerator:
    """Where a `Generator` takes its bits from."""

    __module__ = "numpy.random.bit_generator"
    __slots__ = ("native",)
    kind = ""

    def __init__(self, seed: Any = None) -> None:
        meter.charge(20)
        self.native = getattr(np.random, self.kind)(_entropy(seed))


def _bit_generator(name: str) -> type[BitGenerator]:
    module = f"numpy.random._{name.lower()}"
    return type(f"{module}.{name}", (BitGenerator,), {
        "__slots__": (), "kind": name, "__module__": module, "__qualname__": name,
    })  # fmt: skip


_BITS = {name: _bit_generator(name) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")}
for _drawing, _room in ((RandomState, "numpy.random.mtrand"), (Generator, "numpy.random._generator")):
    _drawing.__module__, _drawing.__name__ = _room, f"{_room}.{_drawing.__qualname__}"


def _read_drawing(value: RandomState, name: str) -> Any:
    found = value.methods.get(name)
    if found is None:
        raise missing(value, name)
    return found


def _read_nothing(value: BitGenerator, name: str) -> Any:
    raise missing(value, name)


def _entropy(seed: Any) -> Any:
    """What a generator is seeded with: a number, or some. Raises TypeError."""
    if seed is None:
        return sessions.active.seed
    given = unwrap(seed)
    if isinstance(given, int | np.integer):
        number = int(given)
        meter.charge(10 + (number.bit_length() >> 5))
        return number
    if isinstance(given, str | float):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {given}")
    found = as_array(given)
    meter.charge(10 + found.size)
    return found


def _random_state(seed: Any = None) -> Any:
    meter.charge(100)  # a table of methods of its own: 25 KiB
    if isinstance(seed, list | tuple | Array) and not isinstance(seed, Scalar):
        return _of_state(np.random.RandomState(_entropy(seed)))
    return _of_state(np.random.RandomState(sessions.active.seed if seed is None else int(unwrap(seed))))


def _default_rng(seed: Any = None) -> Generator:
    if isinstance(seed, Generator):
        return seed
    return _generator(seed if isinstance(seed, BitGenerator) else _BITS["PCG64"](seed))


def _generator(bit_generator: Any) -> Generator:
    if not isinstance(bit_generator, BitGenerator):
        raise TypeError(f"Generator is made of a bit generator here, not of '{type(bit_generator).__name__}'")
    meter.charge(40)
    made: Generator = _of_state(np.random.Generator(bit_generator.native))
    return made


def _of_state(state: Any) -> Any:
    if isinstance(state, np.random.RandomState):
        return RandomState(state, _legacy(lambda: state))

    def permutation(x: Any, axis: int = 0) -> Any:
        x = _whole(x)
        meter.charge((x if isinstance(x, int) else len(x)) >> 5)
        return wrap(state.permutation(x if isinstance(x, int) and dims_of(x) else as_array(x, texts=True), axis))

    def permuted(x: Any, *, axis: Any = None, out: Any = None) -> Any:
        given = as_array(x)
        meter.allocate(given.size, 8)
        meter.charge(given.size >> 4)
        made = state.permuted(given, axis=axis, out=None if out is None else overwriting(out._array))
        return wrap(made) if out is None else out

    def shuffle(x: Any, axis: int = 0) -> None:
        state.shuffle(_shuffled(x), axis)

    def choice(
        a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        pool = _pool(a, size, replace)
        shares = None if p is None else as_array(p)
        meter.charge(0 if shares is None else shares.size >> 5)
        if axis:
            meter.allocate(_count(size) * (np.size(pool) // max(1, np.shape(pool)[axis])), 8)
        return wrap(state.choice(pool, size, replace, shares, axis, shuffle))

    shapes = {name: at for name, at in _SHAPES.items() if name not in _LEGACY} | {"integers": 2}
    drawing = {name: _draw(name, at, lambda: state) for name, at in shapes.items()}
    functions = permutation, permuted, shuffle, choice, _bytes(lambda: state)
    return Generator(state, drawing | {each.__name__: Builtin(each.__name__, each) for each in functions})


def _bytes(source: Callable[[], Any]) -> Callable[[Any], bytes]:
    def bytes(length: Any) -> Any:  # noqa: A001 - numpy's name
        count = int(unwrap(length))
        meter.allocate(max(0, count), 1)
        return source().bytes(count)

    return bytes


_SHAPES: dict[str, int | None] = {
    "rand": None, "randn": None, "random": 0, "random_sample": 0, "standard_normal": 0, "normal": 2, "uniform": 2,
    "randint": 2, "exponential": 1, "binomial": 2, "poisson": 1, "beta": 2, "gamma": 2, "laplace": 2, "lognormal": 2,
    "chisquare": 1, "f": 2, "geometric": 1, "gumbel": 2, "logistic": 2, "negative_binomial": 2, "pareto": 1, "power": 1,
    "rayleigh": 1, "standard_cauchy": 0, "standard_exponential": 0, "standard_gamma": 1, "standard_t": 1,
    "vonmises": 2, "wald": 2, "zipf": 1, "logseries": 1, "noncentral_chisquare": 2, "noncentral_f": 3,
    "hypergeometric": 3, "triangular": 3, "weibull": 1, "multivariate_normal": 2, "multinomial": 2, "dirichlet": 1,
}  # fmt: skip
_VECTORS = {"multivariate_normal": (0, "mean"), "multinomial": (1, "pvals"), "dirichlet": (0, "alpha")}
"""Functions that draw vectors, and the argument that these are as long as."""
_LEGACY = frozenset("rand randn random_sample randint".split())
"""What a `Generator` calls by other names."""
RANDOM: dict[str, Any] = {
    **_legacy(_session),
    "default_rng": Builtin("default_rng", _default_rng),
    "RandomState": RandomState, "Generator": Generator, "BitGenerator": BitGenerator, **_BITS,
}  # fmt: skip
CONSTRUCTORS[RandomState], CONSTRUCTORS[Generator] = _random_state, _generator
for _bits in _BITS.values():
    CONSTRUCTORS[_bits], READERS[_bits], LISTED[_bits] = _bits, _read_nothing, []
LISTED[RandomState] = list(_legacy(_session))
LISTED[Generator] = [*(set(_SHAPES) - _LEGACY), *"integers choice permutation permuted shuffle bytes".split()]
READERS[RandomState] = READERS[Generator] = _read_drawing
sessions.closed.update([RandomState, Generator, BitGenerator, *_BITS.values()])
