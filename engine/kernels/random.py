"""PyTorch's CPU random number generator, bit for bit.

It is a 32-bit Mersenne Twister seeded by ``init_genrand``, which numpy has too; what differs is how its words become
numbers. Two words make 64 bits, the first the high ones. A float32 takes 24 bits of one word, a double 53 bits of two;
float16 is float32 rounded.

Distributions fill an array of a shape and a numpy dtype, in C order; a 0-d shape gives a numpy scalar.
"""

from __future__ import annotations

import math
import random
import sys
from array import array
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from engine import errors, settings
from engine.kernels.box_muller import PIECE, fma32, fma64, in_pieces, libm, normal_blocks32, normal_blocks64
from engine.kernels.memory_format import drawn_like
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import SHORT, limits_of

Shape: TypeAlias = tuple[int, ...]
Array: TypeAlias = npt.NDArray[Any]
DType: TypeAlias = "np.dtype[Any]"

FLOAT32: DType = np.dtype(np.float32)
FLOAT64: DType = np.dtype(np.float64)
INT64: DType = np.dtype(np.int64)

INITIAL_SEED = 67280421310721
"""The seed of a generator nobody seeded."""

STATE_BYTES = 5056
STATE_STEPS = 4
_STATE: DType = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "words", "normal", "has_normal"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", 624), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": STATE_BYTES,
    }
)

_BLOCK = 16
"""``normal`` fills whole blocks of 16 from the 16th element on, and single numbers below."""

_entropy: Callable[[int], int] = random.SystemRandom().getrandbits
settings.variable(sys.modules[__name__], "_entropy")


def seed_entropy(seed: int) -> None:
    """Make what PyTorch takes from the operating system (``torch.seed()``) a function of ``seed``, so that a run can
    be repeated."""
    global _entropy
    _entropy = random.Random(seed).getrandbits


def _device(device: object = "cpu") -> object:
    return device


_device.__qualname__ = "Generator"  # what Python says of wrong arguments then, PyTorch says


class Generator:
    """``torch.Generator`` on the CPU."""

    __module__ = "torch._C"

    def __init__(self, *given: object, **named: object) -> None:
        device = _device(*given, **named)
        if dtypes.device(device).type != "cpu":
            raise errors.generator_device(str(device))
        meter.charge(16)
        self._bits = np.random.MT19937(0)
        self._legacy = np.random.RandomState(self._bits)
        self._seed = INITIAL_SEED
        self._untouched = True
        self._spare_normal: float | None = None
        self.manual_seed(INITIAL_SEED)

    @property
    def device(self) -> dtypes.device:
        return dtypes.cpu

    # Seeds and state

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of ``seed`` (its low 32 bits count); returns self.

        Raises RuntimeError if it is not an int, ValueError if it does not fit 64 bits.
        """
        if not hasattr(seed, "__index__"):
            raise errors.seed_type(seed)
        seed = seed.__index__()
        if not -(1 << 63) <= seed < 1 << 64:
            raise errors.integer_overflow()
        self._seed = seed & 0xFFFFFFFFFFFFFFFF
        self._legacy.seed(self._seed & 0xFFFFFFFF)
        self._untouched = True
        self._spare_normal = None
        return self

    def seed(self) -> int:
        """Seed with 64 fresh bits and return them."""
        self.manual_seed(_entropy(64))
        return self._seed

    def initial_seed(self) -> int:
        """The seed in use, as an unsigned 64-bit number."""
        return self._seed

    def state_bytes(self) -> Array:
        """The state as PyTorch lays it out: 5056 bytes, uint8."""
        meter.charge(STATE_STEPS)
        twister = self._bits.state["state"]
        used = 0 if self._untouched else int(twister["pos"])
        state = np.zeros((), _STATE)
        state["seed"] = self._seed
        state["left"] = 1 if used in (0, 624) else 625 - used
        state["seeded"] = 1
        state["next"] = used
        state["words"] = twister["key"]
        if self._spare_normal is not None:
            state["normal"] = self._spare_normal
            state["has_normal"] = 1
        return np.frombuffer(state.tobytes(), np.uint8).copy()

    def restore(self, state: Array) -> Generator:
        """Continue from a state of :meth:`state_bytes`; returns self. Raises RuntimeError if the size is another."""
        if state.size != STATE_BYTES:
            raise errors.generator_state_size(STATE_BYTES, state.size)
        meter.charge(STATE_STEPS)
        fields = np.frombuffer(state.tobytes(), _STATE)[0]
        used = int(fields["next"])
        self._seed = int(fields["seed"])
        self._untouched = used == 0
        self._spare_normal = float(fields["normal"]) if fields["has_normal"] else None
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": fields["words"].astype(np.uint32), "pos": min(used, 624) or 624},
        }
        return self

    def clone_state(self) -> Generator:
        """A new generator in the same state."""
        return Generator().restore(self.state_bytes())

    # Words and uniform numbers

    def _words(self, count: int) -> Array:
        """The next ``count`` 32-bit words, as uint64."""
        meter.charge(count >> 8)
        self._untouched = self._untouched and not count
        return self._bits.random_raw(count)

    def _double_words(self, count: int) -> Array:
        words = self._words(2 * count)
        return (words[0::2] << np.uint64(32)) | words[1::2]

    def _uniform53(self, count: int) -> Array:
        return in_pieces(count, FLOAT64, lambda n: (self._double_words(n) & np.uint64((1 << 53) - 1)) * 2.0**-53)

    def _uniform(self, count: int, dtype: DType) -> Array:
        """Numbers in [0, 1) with the random bits that ``dtype`` gets, in float64."""
        if dtype.itemsize == 8:
            return self._uniform53(count)
        return in_pieces(count, FLOAT64, lambda n: (self._words(n) & np.uint64((1 << 24) - 1)) * 2.0**-24)

    def uniform(self, shape: Shape, low: float = 0.0, high: float = 1.0, dtype: DType = FLOAT32) -> Any:
        """``rand``, ``Tensor.uniform_``."""
        if dtype.kind == "c":
            return self._complex(self.uniform, shape, low, high, dtype)
        _require_float("check_uniform_bounds", dtype)
        _require_bounds(dtype, **{"from": low, "to": high})
        if low > high:
            raise errors.uniform_range(low, high)
        return _shaped(in_pieces(math.prod(shape), dtype, lambda n: self._between(n, low, high, dtype)), shape, dtype)

    def _between(self, count: int, low: float, high: float, dtype: DType) -> Array:
        filled = self._uniform(count, dtype)
        if low != 0.0 or high != 1.0:
            wide = dtype.itemsize == 8
            start = low if wide else float(np.float32(low))
            width = high - low if wide else float(np.float32(high) - np.float32(low))
            filled = fma64(filled, width, start) if wide else fma32(filled, width, start)
        filled = _rounded(filled, dtype)
        # The upper end is excluded: what rounding moved there goes to the lower one.
        np.copyto(filled, dtype.type(low), where=filled == dtype.type(high))
        return filled

    # Normal numbers

    def normal(
        self, shape: Shape, mean: float = 0.0, std: float = 1.0, dtype: DType = FLOAT32, *, contiguous: bool = True
    ) -> Any:
        """``randn``, ``Tensor.normal_``. An in-place fill of a tensor that is not contiguous draws other numbers:
        ``contiguous=False`` gives them in memory order."""
        if dtype.kind == "c":
            return self._complex(self.normal, shape, mean, std / math.sqrt(2.0), dtype)
        if not std >= 0.0:
            raise errors.normal_std(std)
        _require_float("normal_kernel_cpu", dtype)
        count = math.prod(shape)
        if count < _BLOCK or not contiguous:
            return _shaped(self._scaled_normals(count, mean, std), shape, dtype)
        whole = count - count % _BLOCK
        if whole == count:
            return _shaped(_normal_blocks(self._uniform(count, dtype), mean, std, dtype), shape, dtype)
        # The last 16 elements come from words of their own; those drawn first for the partial block are thrown away,
        # and not drawn at all for types of 16 bits.
        uniforms = self._uniform(whole if dtype.char in SHORT else count, dtype)[:whole]
        uniforms = np.concatenate([uniforms, self._uniform(_BLOCK, dtype)])
        blocks = _normal_blocks(uniforms, mean, std, dtype)
        return _shaped(np.concatenate([blocks[: count - _BLOCK], blocks[-_BLOCK:]]), shape, dtype)

    def _scaled_normals(self, count: int, mean: float, std: float) -> Array:
        values = np.array(self._single_normals(count), FLOAT64)
        return values if mean == 0.0 and std == 1.0 else fma64(values, std, mean)

    def _single_normals(self, count: int) -> list[float]:
        """Standard normal numbers one at a time; of each pair the second is kept for the next call."""
        values: list[float] = []
        if count and self._spare_normal is not None:
            values.append(self._spare_normal)
            self._spare_normal = None
        meter.charge(count >> 2)
        uniforms = self._uniform53((count - len(values) + 1) // 2 * 2).tolist()
        for angle, square in zip(uniforms[0::2], uniforms[1::2], strict=True):
            radius = math.sqrt(-2.0 * math.log1p(-square))
            theta = 2.0 * math.pi * angle
            values += (radius * math.cos(theta), radius * math.sin(theta))
        if len(values) > count:
            self._spare_normal = values.pop()
        return values

    def log_normal(self, shape: Shape, mean: float = 1.0, std: float = 2.0, dtype: DType = FLOAT32) -> Any:
        """``Tensor.log_normal_``; mean and std are those of the logarithm."""
        if not std > 0.0:
            raise errors.log_normal_std(std)
        _require_float("log_normal_cpu", dtype)
        return _shaped(libm(_exp, self._scaled_normals(math.prod(shape), mean, std)), shape, dtype)

    # Integers

    def integers(self, low: int, high: int, shape: Shape, dtype: DType = INT64) -> Any:
        """``randint``, ``Tensor.random_(low, high)``: low included, high not."""
        if low >= high:
            raise errors.random_range(low, high)
        _require_bounds(dtype, **{"from": low, "to - 1": high - 1})
        if dtype.kind in dtypes.FLOATING:
            low, high = _representable(low, high, dtype)
        span = high - low
        draw = self._words if span < 1 << 28 else self._double_words
        words = draw(math.prod(shape)) % np.uint64(span)
        return _shaped((words + np.uint64(low & 0xFFFFFFFFFFFFFFFF)).view(np.int64), shape, dtype)

    def full_range(self, shape: Shape, dtype: DType = INT64) -> Any:
        """``Tensor.random_()``: all the integers that ``dtype`` holds exactly and that are not negative."""
        if dtype.kind == "b":
            span = 2
        elif dtype.kind in "iu":
            span = int(np.iinfo(dtype).max) + 1
        else:
            span = (1 << int(limits_of(dtype).nmant) + 1) + 1
        words = (self._double_words if dtype.itemsize == 8 else self._words)(math.prod(shape))
        return _shaped(words % np.uint64(span), shape, dtype)

    def permutation(self, n: int, dtype: DType = INT64) -> Array:
        """``randperm``."""
        if n < 0:
            raise errors.negative_dimension(n, (n,))
        if dtype.kind in "iu" and n > np.iinfo(dtype).max + 1:
            raise errors.conversion_overflow(f"{dtype.name}_t")
        meter.charge(n >> 4)
        meter.room(4 * 8 * n)
        order = array("q", range(n))
        steps = self._words(max(n - 1, 0)) % np.arange(n, min(n, 1), -1, dtype=np.uint64)
        for first in range(0, len(steps), PIECE):
            for i, step in enumerate(steps[first : first + PIECE].tolist(), first):
                order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, dtype)

    # Coins

    def coins(self, shape: Shape, p: float = 0.5, dtype: DType = FLOAT32) -> Any:
        """``Tensor.bernoulli_(p)``: ones with probability p."""
        if not 0.0 <= p <= 1.0:
            raise errors.bernoulli_probability(p)
        return _shaped(self._uniform53(math.prod(shape)) < p, shape, dtype)

    def bernoulli(self, probabilities: Array | np.generic) -> Any:
        """``torch.bernoulli``: a coin for each probability, in its dtype."""
        p = np.asarray(probabilities)
        _require_float("bernoulli_tensor_cpu_p_", p.dtype)
        if not ((p >= 0) & (p <= 1)).all():
            raise errors.bernoulli_probabilities()
        return _shaped(self._uniform(p.size, p.dtype) < p.ravel(), p.shape, p.dtype)

    def dropout_mask(self, shape: Shape, p: float, dtype: DType = FLOAT32) -> Any:
        """What dropout multiplies by: 0 with probability p, else 1 / (1 - p)."""
        return self.coins(shape, 1.0 - p, dtype) / dtype.type(1.0 - p)

    # Other distributions

    def exponential(self, shape: Shape, rate: float = 1.0, dtype: DType = FLOAT32) -> Any:
        """``Tensor.exponential_``."""
        if dtype.kind not in dtypes.FLOATING:
            raise errors.not_continuous("Exponential", dtypes.of(dtype).type_name)
        if not rate > 0.0:
            raise errors.exponential_rate(rate)
        logarithms = libm(math.log1p, -self._uniform53(math.prod(shape)))
        return _shaped(-1.0 / rate * logarithms, shape, dtype)

    def geometric(self, shape: Shape, p: float, dtype: DType = FLOAT32) -> Any:
        """``Tensor.geometric_``: number of tries up to and with the first success."""
        if not 0.0 < p < 1.0:
            raise errors.geometric_probability(p)
        logarithms = libm(_log, self._uniform53(math.prod(shape)))
        return _shaped(np.ceil(logarithms / math.log1p(-p)), shape, dtype)

    def cauchy(self, shape: Shape, median: float = 0.0, sigma: float = 1.0, dtype: DType = FLOAT32) -> Any:
        """``Tensor.cauchy_``."""
        if dtype.kind not in dtypes.FLOATING:
            raise errors.not_continuous("Cauchy", dtypes.of(dtype).cpp_name)
        if not sigma > 0.0:
            raise errors.cauchy_sigma(sigma)
        tangents = libm(math.tan, math.pi * (self._uniform53(math.prod(shape)) - 0.5))
        return _shaped(fma64(tangents, sigma, median), shape, dtype)

    def multinomial(self, weights: Array, count: int, replacement: bool = False) -> Array:
        """``torch.multinomial``: ``count`` indices for each row of ``weights`` (1-D or 2-D), int64."""
        if weights.ndim not in (1, 2):
            raise errors.multinomial_dimensions()
        if weights.dtype.kind not in dtypes.FLOATING:
            raise errors.multinomial_dtype(dtypes.of(weights.dtype).type_name)
        if count <= 0:
            raise errors.multinomial_count()
        if not weights.size and replacement and count == 1:
            raise errors.aminmax_empty()
        if not replacement and count > weights.shape[-1]:
            raise errors.multinomial_too_many()
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise errors.multinomial_weights()
        if (weights.sum(-1) <= 0).any():
            raise errors.multinomial_sum()
        if not replacement or count == 1:
            meter.charge(weights.size >> (8 if count == 1 else 5))
            rates = drawn_like(weights, weights.dtype, lambda shape, _: self.exponential(shape, 1.0, weights.dtype))
            if count == 1:
                return np.asarray(np.argmax(weights / rates, axis=-1, keepdims=True))
            return np.ascontiguousarray(np.argsort(-(weights / rates), axis=-1, kind="stable")[..., :count])
        rows = math.prod(weights.shape[:-1])
        meter.reserve(rows * count, 8)
        meter.charge(rows * (4 + (count >> 5)) + (weights.size >> 7))
        chosen = np.empty((*weights.shape[:-1], count), np.int64)
        for row in np.ndindex(weights.shape[:-1]):
            cumulative = np.cumsum(weights[row], dtype=FLOAT64 if weights.dtype == FLOAT64 else FLOAT32)
            cumulative /= cumulative[-1]
            cumulative[-1] = 1
            chosen[row] = np.searchsorted(cumulative.astype(FLOAT64), self._uniform53(count))
        return chosen

    def _complex(self, draw: Callable[..., Any], shape: Shape, a: float, b: float, dtype: DType) -> Any:
        part = np.dtype(f"f{dtype.itemsize // 2}")
        parts: Array = draw((*shape, 2), a, b, part)
        return _shaped(parts.reshape(-1).view(dtype), shape, dtype)


default_generator = Generator()


class _OfPrograms:
    """Another state of the default generator: to copy the caller's there and back costs more than a small run."""

    def __init__(self) -> None:
        self.state = vars(Generator())

    def reset(self) -> None:
        """Nothing: a run seeds it."""

    def put_aside(self) -> Callable[[], None]:
        """Give programs their own, and return what puts the caller's back."""
        drawn, default_generator.__dict__ = default_generator.__dict__, self.state
        return lambda: setattr(default_generator, "__dict__", drawn)


settings.register(_OfPrograms())


def manual_seed(seed: Any) -> Generator:
    """``torch.manual_seed``: seeds the default generator with ``int(seed)`` and returns it."""
    return default_generator.manual_seed(int(seed))


def _normal_blocks(uniforms: Array, mean: float, std: float, dtype: DType) -> Array:
    """Normal numbers from as many uniform ones, in blocks of `_BLOCK`."""
    transform = normal_blocks64 if dtype.itemsize == 8 else normal_blocks32
    rows = uniforms.reshape(-1, _BLOCK)
    step = PIECE // _BLOCK
    made = [transform(rows[first : first + step], mean, std) for first in range(0, len(rows), step)]
    return (made[0] if len(made) == 1 else np.concatenate(made)).ravel()


def _rounded(values: Array, dtype: DType) -> Array:
    if dtype.char in SHORT and values.dtype == FLOAT64:
        values = values.astype(FLOAT32)  # PyTorch rounds to 16 bits in two steps
    return values.astype(dtype, copy=False)


def _shaped(flat: Array, shape: Shape, dtype: DType) -> Any:
    values = _rounded(flat, dtype)
    return values.reshape(shape) if shape else values[0]


def _require_float(kernel: str, dtype: DType) -> None:
    if dtype.kind not in dtypes.FLOATING:
        raise errors.not_implemented_for(kernel, dtypes.of(dtype).type_name)


def _require_bounds(dtype: DType, **bounds: float) -> None:
    if dtype.kind == "b":
        lowest, highest = 0.0, 1.0
    else:
        limits: Any = limits_of(dtype) if dtype.kind in dtypes.FLOATING else np.iinfo(dtype)
        lowest, highest = limits.min, limits.max
    for name, bound in bounds.items():
        if not lowest <= bound <= highest:
            raise errors.bound_out_of_range(name, dtypes.of(dtype).cpp_name)


def _representable(low: int, high: int, dtype: DType) -> tuple[int, int]:
    """The range shrunk to bounds that ``dtype`` does not round out of it."""
    digits = int(limits_of(dtype).nmant) + 1
    rounded = int(dtype.type(low + 1))
    if rounded < low:
        low = rounded + (1 << abs(low + 1).bit_length() - digits)
    rounded = int(dtype.type(high - 1))
    if high <= rounded < 1 << 63:
        high = rounded - (1 << abs(high - 1).bit_length() - digits)
    return low, high


def _log(value: float) -> float:
    return math.log(value) if value else -math.inf


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf
