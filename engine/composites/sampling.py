"""Random tensors, from the default generator or a given one, number for number as PyTorch draws them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from engine import errors
from engine.batching.level import draws
from engine.codegen.publish import TORCH, public
from engine.composites.creation import Options, asked, checked_size, finished, numpy_dtype, strided_only
from engine.core.registry import ops
from engine.core.tensor import Tensor, number
from engine.kernels import random
from engine.kernels.memory_format import drawn_like
from engine.kernels.shape import in_order
from engine.limits import meter
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import Shape, integer

Draw = Callable[[random.Generator, Shape, Any, bool], Any]


def _source(generator: Any) -> random.Generator:
    return random.default_generator if generator is None else generator


def _checked(shape: Shape, dtype: Any) -> Shape:
    for extent in shape:
        if extent < 0:
            raise errors.negative_dimension(extent, shape)
    meter.allocate(math.prod(shape), dtype.itemsize)
    return shape


def _more(function: Any, count: int, *sizes: Any, size: Any = None, **options: Any) -> Any:
    """Draw for so many entries at once, whose shape is `sizes` or `size`."""
    given = sizes if size is None else (size,)
    shape = given[0] if len(given) == 1 and isinstance(given[0], tuple | list) else given
    return function((count, *shape), **options)


def _alike(function: Any, count: int, *arguments: Any, **options: Any) -> Any:
    """The arguments have all entries already."""
    return function(*arguments, **options)


def _more_integers(function: Any, count: int, *arguments: Any, **options: Any) -> Any:
    if "size" in options:
        options["size"] = (count, *options["size"])
    else:
        arguments = (*arguments[:-1], (count, *arguments[-1]))
    return function(*arguments, **options)


def _more_normal(function: Any, count: int, mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> Any:
    return function(mean, std, None if size is None else (count, *size), **options)


def _factory(name: str, draw: Draw, doc: str) -> None:
    @draws(_more)
    def factory(
        *sizes: Any, size: Any = None, generator: Any = None, out: None = None, **options: Unpack[Options]
    ) -> Tensor:
        strided_only(options)
        shape = checked_size(name, sizes, size)
        kind = asked(options, name)
        return finished(draw(_source(generator), _checked(shape, kind), kind, True), **options)

    @draws(_alike)
    def like(input: Tensor, *, memory_format: Any = None, generator: Any = None, **options: Unpack[Options]) -> Tensor:
        strided_only(options, input)
        a = input._array
        kind = asked(options, f"{name}_like", a.dtype)
        _checked(a.shape, kind)
        source = _source(generator)
        like = in_order(a, memory_format)
        drawn = drawn_like(like, kind, lambda shape, contiguous: draw(source, shape, kind, contiguous))
        return finished(drawn, **options)

    public("torch", name, doc=doc)(factory)
    public("torch", f"{name}_like", doc=doc)(like)


_factory(
    "rand",
    lambda source, shape, dtype, contiguous: source.uniform(shape, dtype=dtype),
    "Uniform numbers from 0 up to 1.",
)
_factory(
    "randn",
    lambda source, shape, dtype, contiguous: source.normal(shape, dtype=dtype, contiguous=contiguous),
    "Normal numbers, mean 0, std 1.",
)


@public("torch")
@draws(_more_integers)
def randint(
    *args: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False, **kwargs: Any
) -> Tensor:
    """Integers from `low` (default 0) up to but not including `high`: `randint(low=0, high, size)`."""
    given = list(args)
    for key in kwargs:
        if key not in ("low", "high", "size", "layout", "pin_memory", "out"):
            raise errors.unexpected_keyword("randint", key)
    if len(given) + len(kwargs) < 2:
        raise errors.randint_arguments(*args)
    size = kwargs["size"] if "size" in kwargs else given.pop()
    if "high" in kwargs:
        high = kwargs["high"]
    else:
        high = given.pop()
    low = given.pop() if given else kwargs.get("low", 0)
    kind = dtypes.int64.np if dtype is None else numpy_dtype(dtype, "randint")
    if not isinstance(size, tuple | list):
        raise errors.argument_type("randint", "size", len(args), "tuple of ints", size)
    shape = _checked(checked_size("randint", (size,)), kind)
    return finished(_source(generator).integers(integer(low), integer(high), shape, kind), requires_grad, device)


@public("torch")
@draws(_alike)
def randint_like(
    input: Tensor,
    low: int,
    high: int | None = None,
    *,
    generator: Any = None,
    memory_format: Any = None,
    **options: Unpack[Options],
) -> Tensor:
    """As `randint`, in the shape and type of another tensor."""
    strided_only(options, input)
    start, end = (0, low) if high is None else (low, high)
    kind = asked(options, "randint_like", input._array.dtype)
    _checked(input._array.shape, kind)
    source = _source(generator)
    like = in_order(input._array, memory_format)
    drawn = drawn_like(like, kind, lambda shape, _: source.integers(integer(start), integer(end), shape, kind))
    return finished(drawn, **options)


@public("torch")
@draws()
def randperm(n: int, *, generator: Any = None, out: None = None, **options: Unpack[Options]) -> Tensor:
    """The numbers below `n` in random order."""
    strided_only(options)
    kind = asked(options, "randperm", dtypes.int64.np)
    meter.allocate(max(integer(n), 0), kind.itemsize)
    return finished(_source(generator).permutation(integer(n), kind), **options)


@public("torch")
@draws(_more_normal, by_value=True)
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    out: None = None,
    **options: Unpack[Options],
) -> Tensor:
    """Normal numbers whose mean or deviation are tensors, or so many of one distribution."""
    strided_only(options)
    kind = asked(options, "normal")
    if size is not None and not any(isinstance(x, Tensor) and (x._array.ndim or x.requires_grad) for x in (mean, std)):
        mean, std = number(mean), number(std)
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        if size is not None:
            check("torch", "normal", (mean, std, size), {})
        form = "_".join("Tensor" if isinstance(value, Tensor) else "float" for value in (mean, std))
        return getattr(ops, f"normal_{form}")(mean, std, generator=generator)
    if size is None:
        raise errors.normal_arguments(mean, std)
    if isinstance(size, int):
        check("torch", "normal", (mean, std, size), {})
    shape = _checked(checked_size("normal", (size,)), kind)
    return finished(_source(generator).normal(shape, float(mean), float(std), kind), **options)


@public("method torch")
@draws(_alike, by_value=True)
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None, out: None = None) -> Tensor:
    """A coin for each element, its probability of 1 the element or `p`."""
    if p is None:
        return ops.bernoulli(input, generator=generator)
    return ops.bernoulli_p(input, p, generator=generator)


@public("method torch")
@draws(by_value=True)
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None, out: None = None
) -> Tensor:
    """Indices drawn with the elements of each row as weights."""
    drawn = _source(generator).multinomial(np.asarray(input._array), integer(num_samples), replacement)
    return Tensor._from_array(drawn)


for _name in ("normal_", "exponential_", "geometric_", "cauchy_", "log_normal_"):
    public("method", _name)(getattr(ops, _name))


def _only_bounds(function: str, kwargs: dict[str, Any]) -> None:
    """`from` cannot be the name of a parameter, so these functions take any keyword."""
    for key in kwargs:
        if key not in ("from", "to"):
            raise errors.unexpected_keyword(function, key)


@public("method")
def uniform_(self: Tensor, *bounds: float, generator: Any = None, **kwargs: float) -> Tensor:
    """Overwrite with uniform numbers, `uniform_(from=0, to=1)`."""
    _only_bounds("uniform_", kwargs)
    low, high = (*bounds, *(0.0, 1.0)[len(bounds) :])
    low, high = kwargs.get("from", low), kwargs.get("to", high)
    return ops.uniform_(self, low, high, generator=generator)


@public("method")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Overwrite with coins; `p` is the probability of 1, a number or a tensor."""
    return (ops.bernoulli__Tensor if isinstance(p, Tensor) else ops.bernoulli__float)(self, p, generator=generator)


@public("method")
def random_(self: Tensor, *bounds: int, generator: Any = None, **kwargs: int) -> Tensor:
    """Overwrite with integers: `random_()`, `random_(to)`, `random_(from, to)`."""
    _only_bounds("random_", kwargs)
    given = (*bounds, *(kwargs[name] for name in ("from", "to") if name in kwargs))
    write = (ops.random_, ops.random__to, ops.random__from)[len(given)]
    return write(self, *given, generator=generator)


@public("torch")
def manual_seed(seed: Any) -> random.Generator:
    """Seed the default generator and return it."""
    return random.manual_seed(seed)


@public("torch")
def seed() -> int:
    """Seed the default generator with a fresh number and return that."""
    return random.default_generator.seed()


@public("torch")
def initial_seed() -> int:
    """The seed of the default generator."""
    return random.default_generator.initial_seed()


@public("torch")
def get_rng_state() -> Tensor:
    """The state of the default generator as bytes."""
    return _get_state(random.default_generator)


@public("torch")
def set_rng_state(new_state: Tensor) -> None:
    """Put the default generator back into a state."""
    _set_state(random.default_generator, new_state)


def _get_state(self: random.Generator) -> Tensor:
    """The state as bytes: `generator.get_state()`."""
    meter.allocate(random.STATE_BYTES, 1)
    return Tensor._from_array(self.state_bytes())


def _set_state(self: random.Generator, new_state: Tensor) -> random.Generator:
    """Put the generator back into a state of `get_state`. Raises TypeError, RuntimeError."""
    if not isinstance(new_state, Tensor):
        raise errors.byte_tensor_expected(type(new_state).__name__)
    if new_state._array.dtype != np.uint8:
        raise errors.generator_state_type()
    return self.restore(new_state._array)


random.Generator.get_state = _get_state  # type: ignore[attr-defined]
random.Generator.set_state = _set_state  # type: ignore[attr-defined]
TORCH["default_generator"] = random.default_generator
