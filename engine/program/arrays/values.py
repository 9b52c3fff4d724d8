"""numpy arrays as programs see them: a wrapper with a fixed set of attributes and operators.

A program never holds an `ndarray`. Results are sized before they are computed; only numbers and booleans are stored.
Memory is shared with `Tensor.numpy()` and `torch.from_numpy`, as in PyTorch.
"""

from __future__ import annotations

import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import grow, len_of_range
from engine.program.hashing import SETS, carried
from engine.program.text import represent

_KINDS = frozenset("biufc")
WIDEST = 64
"""Characters of a text in an array, each of which has room for the longest."""


class DType:
    """`numpy.dtype`."""

    __slots__ = ("dtype",)
    __module__ = "numpy"

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype

    def __eq__(self, other: object) -> bool:
        try:
            return other is not None and bool(self.dtype == to_dtype(other))
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return repr(self.dtype)

    def __str__(self) -> str:
        return str(self.dtype)


DType.__name__ = DType.__qualname__ = "dtype"


def to_dtype(value: Any, *, texts: bool = False) -> Any:
    """The numpy dtype that a program's value names, of numbers or also of `texts`. Raises TypeError."""
    if isinstance(value, DType):
        return value.dtype
    if isinstance(value, type) and issubclass(value, Scalar) and value.kind:
        return np.dtype(value.kind)
    if value is None:
        return np.dtype(float)
    if value in (float, int, bool, complex):
        return np.dtype(value)
    if isinstance(value, str):
        found = np.dtype(value)
        if texts and found.kind == "U" and found.itemsize > 4 * WIDEST:
            raise too_wide()
        if found.kind in _KINDS or texts and found.kind == "U" and found.isnative:
            return found
    if texts and value is str:
        return np.dtype("U")
    if not isinstance(value, type | str | list | tuple | dict):
        raise TypeError(f"Cannot interpret '{represent(value)}' as a data type")
    told = str(value) if isinstance(value, type) else type(value).__name__
    raise TypeError(f"Cannot interpret '{told}' as a data type of numbers")


class Array:
    """`numpy.ndarray`."""

    __slots__ = ("_array",)
    __module__ = "numpy"
    __hash__: Any = None

    def __init__(self, a: Any) -> None:
        self._array = a

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self._array, dtype)

    def __repr__(self) -> str:
        with _print_options(self._array):
            return repr(self._array)

    def __str__(self) -> str:
        with _print_options(self._array):
            return str(self._array)

    def __format__(self, spec: str) -> str:
        return format(self._array, spec)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return _each(self._array)

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        return operator.index(self._array)

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return round(self._array.item())
        return wrap(np.round(self._array, max(-400, min(digits, 400))))

    def __contains__(self, item: Any) -> bool:
        value = unwrap(item)
        meter.charge(int(self._array.size) >> (10 if isinstance(value, int | float | complex | np.generic) else 8))
        return bool(np.asarray(self._array == value).any())

    def __getitem__(self, index: Any) -> Any:
        where = _index(index)
        _reserve_picked(self._array, where)
        found = self._array[where]
        if isinstance(found, np.ndarray) and found.base is None:
            meter.allocate(found.size, found.itemsize)
        return wrap(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        where = _index(index)
        _reserve_picked(self._array, where)
        array = overwriting(self._array)
        if isinstance(array, np.ndarray) and _is_basic(where):  # a window of a large array is a small write
            meter.charge(int(np.size(array[where])) >> 11)
        else:
            meter.charge(int(array.size) >> 11)
        array[where] = unwrap(value)

    def __neg__(self) -> Any:
        reserve_like(self._array)
        return wrap(-self._array)

    def __pos__(self) -> Any:
        reserve_like(self._array)
        return wrap(+self._array)

    def __abs__(self) -> Any:
        reserve_like(self._array)
        return wrap(abs(self._array))

    def __invert__(self) -> Any:
        reserve_like(self._array)
        return wrap(~self._array)

    def __deepcopy__(self, memo: Any) -> Any:
        reserve_like(self._array)
        return wrap(self._array.copy())

    __copy__ = __deepcopy__

    def _copy(self) -> Any:
        return self.__deepcopy__(None)


Array.__name__, Array.__qualname__ = "numpy.ndarray", "ndarray"  # error messages call types of C by their full name


class Scalar(Array):
    """A numpy scalar; one subclass per data type, which also names the type: `numpy.float32`."""

    __slots__ = ()
    __module__ = "numpy"
    __number__ = True
    kind: str = ""

    @property
    def number(self) -> Any:
        """What a tensor calculates with: a float for a number that is none of Python's kinds."""
        value = self._array
        return float(value) if type(value) in (np.bool_, np.complex64) else value.item()

    def __new__(cls, value: Any = 0, *rest: Any) -> Any:
        if not cls.kind:
            raise TypeError(f"cannot create '{cls.__name__}' instances")
        weigh_argument(value)
        made = np.dtype(cls.kind).type(unwrap(value))
        return wrap(made)

    def __init__(self, value: Any = 0, *rest: Any) -> None:
        pass

    def __hash__(self) -> int:
        return hash(self._array) if self._array == self._array else state.identify(self) >> 4

    def __contains__(self, item: Any) -> bool:
        raise TypeError(f"argument of type '{type(self).__name__}' is not iterable")

    __iter__ = __reversed__ = None  # type: ignore[assignment]


Scalar.__name__, Scalar.__qualname__ = "numpy.generic", "generic"


def _scalar_type(name: str, base: type[Scalar], kind: str = "") -> type[Scalar]:
    return type(f"numpy.{name}", (base,), {"__slots__": (), "kind": kind, "__module__": "numpy", "__qualname__": name})


KINDS: dict[str, type[Scalar]] = {}
"""The abstract kinds of scalars, by name."""
for _abstract, _above in (
    ("number", "generic"), ("integer", "number"), ("inexact", "number"), ("signedinteger", "integer"),
    ("unsignedinteger", "integer"), ("floating", "inexact"), ("complexfloating", "inexact"),
):  # fmt: skip
    KINDS[_abstract] = _scalar_type(_abstract, KINDS.get(_above, Scalar))
_KIND_OF = {"f": "floating", "i": "signedinteger", "u": "unsignedinteger", "c": "complexfloating"}
SCALARS: dict[str, type[Scalar]] = {
    name: _scalar_type(name, KINDS.get(_KIND_OF.get(name[0], ""), Scalar), name)
    for name in (
        "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128".split()
    )
}


def wrap(value: Any) -> Any:
    """A numpy result as the program may hold it. Raises TypeError for anything but numbers."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _KINDS and value.dtype.kind != "U":
            raise TypeError(f"arrays of dtype {value.dtype} cannot be used here: only numbers and booleans")
        if value.dtype.kind == "U" and value.itemsize > 4 * WIDEST:
            raise too_wide()
        sessions.active.arrays = True
        return Array(value)
    if isinstance(value, np.generic):
        cls = SCALARS.get(value.dtype.name)
        if isinstance(value, str):
            return str(value)
        if cls is None:
            raise TypeError(f"numpy values of type {value.dtype} cannot be used here")
        sessions.active.arrays = True
        made = object.__new__(cls)
        made._array = value
        return made
    if isinstance(value, tuple):
        return tuple([wrap(item) for item in value])
    if isinstance(value, list):
        return [wrap(item) for item in value]
    return value


class Standing:
    """What stands for the Python number or text that is its `value`."""

    __module__ = "enum"
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] = ()
    value: Any


def true_or_false(value: bool) -> Scalar:
    """`numpy.True_` or `numpy.False_`."""
    made = object.__new__(SCALARS["bool"])
    made._array = np.bool_(value)
    return made


def overwriting(array: Any) -> Any:
    """An array that is about to be written to: what a recorder has of tensors in its memory is copied first."""
    observer = state.observer
    if observer is not None:
        observer.before_write(array)
    return array


def unwrap(value: Any) -> Any:
    """What numpy and the engine get for a program's value."""
    kind = type(value)
    if kind is Array or isinstance(value, Array):
        return value._array
    if isinstance(value, SETS):
        return carried(value)
    if isinstance(value, Standing):
        return value.value
    if kind is list or kind is tuple:
        if len(value) > 63:
            meter.charge(len(value) >> 6)
        for item in value:
            if isinstance(item, Array | list | tuple | Standing):
                meter.charge(1 + (len(value) >> 4))
                return kind([unwrap(item) for item in value])
    elif kind is range:
        meter.check_length(len_of_range(value))
    return value


def memory_order(order: Any) -> Any:
    """An order of elements in memory, or None. Raises TypeError and ValueError as numpy does."""
    if order is not None and not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")
    if order is not None and order not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order[:80]}')")
    return order


def python_number(value: Any) -> Any:
    """A number of numpy's as one of Python's, which has no say in the dtype of a result; any other value as it is."""
    return value.item() if isinstance(value, np.number) else value


def python_float(value: Any) -> Any:
    """The same for those alone that are Python's floats, too."""
    return float(value) if type(value) is np.float64 else value


def wrapped(value: Any) -> Any:
    """A value of the engine's with the arrays and numbers of numpy in it as the program may hold them.

    Lists and dicts stay the objects that they are: what they hold is replaced.
    """
    kind = type(value)
    if kind is np.ndarray or isinstance(value, np.generic):
        return wrap(value)
    return _wrapped_inside(value, {}) if kind in CONVERTED else value


CONVERTED = frozenset({list, tuple, dict, defaultdict, OrderedDict, Counter})
"""Containers that are looked into for arrays and numbers of numpy."""


def _wrapped_inside(container: Any, known: dict[int, Any]) -> Any:
    """`known`: containers that were looked into, by identity, and what the program gets for them."""
    found = known.get(id(container))
    if found is not None:
        return found
    known[id(container)] = container
    keyed = isinstance(container, dict)
    if len(container) > 63:
        meter.charge(len(container) >> 6)
    if keyed and any([isinstance(key, np.generic) for key in container]):
        items = [(wrapped(key), item) for key, item in container.items()]
        container.clear()
        for key, item in items:
            container[key] = item
    changed: dict[Any, Any] = {}
    for place, item in container.items() if keyed else enumerate(container):
        kind = type(item)
        if kind is np.ndarray or isinstance(item, np.generic):
            changed[place] = wrap(item)
        elif kind in CONVERTED:
            inner = _wrapped_inside(item, known)
            if inner is not item:
                changed[place] = inner
    if not changed:
        return container
    meter.charge(len(changed) >> 2)
    if type(container) is tuple:
        known[id(container)] = found = tuple([changed.get(place, item) for place, item in enumerate(container)])
        return found
    for place, item in changed.items():
        container[place] = item
    return container


_INDEXABLE = (int, slice, type(None), type(...), list, tuple, bool)


def _no_index() -> IndexError:
    return IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays"
        " are valid indices"
    )


def _sequence(part: Any) -> Any:
    """A tensor or a range in an index, as numpy takes it."""
    if isinstance(part, Tensor):
        found = as_array(part)
        if found.dtype.kind not in "iub":
            raise _no_index()
        return found
    return list(part) if isinstance(part, range) else part


def _index(index: Any) -> Any:
    index = unwrap(index)
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, Tensor | range) for part in parts):
        parts = tuple(_sequence(part) for part in parts)
        index = parts if isinstance(index, tuple) else parts[0]
    for part in parts:
        if type(part) in (list, tuple):
            count_leaves(part)
        if not isinstance(part, (*_INDEXABLE, np.ndarray, np.generic)):
            raise _no_index()
    return index


def _is_basic(index: Any) -> bool:
    """Whether what an index chooses is a view."""
    parts = index if type(index) is tuple else (index,)
    return all(type(part) in _BASIC for part in parts)


_BASIC = frozenset({int, slice, type(...), type(None), np.int64, np.int32})


def _print_options(a: Any) -> Any:
    """What `numpy.set_printoptions` asked for."""
    options: Any = sessions.active.settings.get(("numpy", "printoptions"), {})
    return printing(a, options)


_WIDE = 64
"""Characters of an element, about, and of what is between two."""


def printing(a: Any, options: dict[str, Any]) -> AbstractContextManager[Any]:
    """These options, as numpy's; charges for the text of an array, whose extremes numpy looks for."""
    size, threshold, edge = int(a.size), options.get("threshold", 1000), options.get("edgeitems", 3)
    shown = size if size <= threshold else math.prod([min(int(side), 2 * edge + 1) for side in a.shape])
    whole = options.get("floatmode") in ("fixed", "maxprec_equal")
    grow(shown * (_WIDE + (options.get("precision", 0) if whole else 0)))
    meter.charge(4 * shown + (size >> 9))
    return np.printoptions(**options) if options else nullcontext()


def _each(a: Any) -> Iterator[Any]:
    """The elements along the first dimension, each charged."""
    for value in a:
        meter.charge(1)
        yield wrap(value)


def reserve_like(a: Any) -> None:
    if isinstance(a, np.ndarray):
        meter.allocate(a.size, a.itemsize)


def _reserve_picked(a: Any, index: Any) -> None:
    """Check what picking elements by arrays and lists makes, before it is made."""
    parts = index if isinstance(index, tuple) else (index,)
    given = [np.shape(part) for part in parts if isinstance(part, np.ndarray | list) and np.ndim(part)]
    if not given or not isinstance(a, np.ndarray):
        return
    try:
        picked = math.prod(np.broadcast_shapes(*given))
    except ValueError:
        return
    masks = sum(part.ndim for part in parts if isinstance(part, np.ndarray) and part.dtype.kind == "b")
    if masks:
        meter.charge(int(a.size) >> 9)
        return
    rest = math.prod(a.shape[len(given) :]) if len(given) < a.ndim else 1
    meter.reserve(picked * rest, a.itemsize)
    meter.charge(picked * rest >> 9)


def sequence(value: Any) -> Any:
    """A deque, or a list or tuple of a derived class, as a list: what numpy makes an array of. Other values as they
    are."""
    if type(value) is not list and type(value) is not tuple:
        bases: tuple[Any, ...] = (list, tuple, deque)
        for base in bases:
            if isinstance(value, base):
                return list(base.__iter__(value))
    return value


def argument(value: Any) -> Any:
    """What numpy gets for a value that it makes an array of by itself. Raises TypeError for texts that are too long."""
    value = sequence(value)
    if type(value) in (list, tuple):
        count_leaves(value)
    return unwrap(value)


def operand(value: Any) -> Any:
    """The other side of an operator, or NotImplemented."""
    if isinstance(value, Array):
        return value._array
    if type(value) in (int, float, bool, complex):
        return value
    if isinstance(value, list | tuple | range | deque):
        return as_array(value)
    return NotImplemented


def too_wide() -> TypeError:
    return TypeError(f"texts in arrays are limited to {WIDEST} characters here")


def as_array(value: Any, dtype: Any = None, *, texts: bool = False) -> Any:
    """An ndarray of numbers, or `texts`, from values, nested lists and arrays. Raises TypeError or ValueError."""
    value = sequence(value)
    if isinstance(value, Array):
        a = np.asarray(value._array)
    elif isinstance(value, Tensor):
        a = np.asarray(value.numpy())
    elif type(value) in (int, float, bool, complex):
        a = np.asarray(value)
    elif type(value) in (list, tuple, range):
        count = count_leaves(value)
        meter.allocate(count, 8)
        meter.charge(count >> 4)
        if dtype is not None:
            wanted = to_dtype(dtype, texts=texts)
            if wanted.kind == "U":
                meter.allocate(count, 4 * WIDEST)
            return np.asarray(_plain(value), wanted)
        a = np.asarray(_plain(value))
    elif type(value) is str and texts:
        count_leaves([value])
        a = np.asarray(value)
    elif hasattr(type(value), "__pixels__"):  # an image of torchvision
        a = value.__pixels__()
    else:
        raise TypeError(f"an array of numbers cannot be made from '{type(value).__name__}'")
    if a.dtype.kind not in _KINDS and not (texts and a.dtype.kind == "U"):
        raise TypeError("arrays hold only numbers and booleans here")
    if dtype is None:
        return a
    wanted = to_dtype(dtype, texts=texts)
    if wanted.kind == "U":
        meter.allocate(a.size, 4 * WIDEST)
        meter.charge(int(a.size) >> 2)
    return a.astype(wanted, copy=False)


def weigh_argument(value: Any, bits: int = 7) -> None:
    """Charge for handing a value to numpy, which looks at every number in it and may copy it: a step for so many, as a
    power of two."""
    if isinstance(value, Array):
        size = int(value._array.size)
        if size > 511:
            meter.reserve(size, 8)
            meter.charge(size >> bits)
    elif type(value) in (list, tuple):
        meter.charge(count_leaves(value) >> 2)
    elif type(value) is str:
        meter.charge(len(value) >> 6)


def _plain(value: Any) -> Any:
    if isinstance(value, Array):
        return value._array
    if isinstance(value, Tensor):
        return value.numpy()[()]
    value = sequence(value)
    if type(value) in (list, tuple):
        return [_plain(item) for item in value]
    return value


def count_leaves(value: Any, depth: int = 0) -> int:
    """How many numbers nested lists hold; a text counts as the room for the longest.

    Raises ValueError when they are nested too deeply, and TypeError for texts that are too long.
    """
    if depth > 32:
        raise ValueError(
            "setting an array element with a sequence. The requested array would exceed the maximum number of dimension"
            " of 32."
        )
    if type(value) is range:
        length = len_of_range(value)
        meter.check_length(length)
        return length
    if not isinstance(value, list | tuple | deque):
        return int(value._array.size) if isinstance(value, Array | Tensor) else 1
    held: Any = next(base for base in (list, tuple, deque) if isinstance(value, base))
    total = 0
    meter.charge(1 + (held.__len__(value) >> 5))
    for item in held.__iter__(value):
        if isinstance(item, str | bytes):
            if len(item) > WIDEST:
                raise too_wide()
            total += WIDEST // 2
        else:
            total += 1 if type(item) in _NUMBERS else count_leaves(item, depth + 1)
        meter.check_length(total)
    return total


_NUMBERS = frozenset({int, float, bool, complex})


def reserve(*shapes: tuple[int, ...]) -> None:
    """Charge the result of broadcasting shapes together. Raises ValueError when they do not fit."""
    meter.allocate(math.prod(np.broadcast_shapes(*shapes)), 8)
