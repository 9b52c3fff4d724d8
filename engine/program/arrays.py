"""numpy arrays as programs see them: a wrapper with a fixed set of attributes and operators.

A program never holds an `ndarray`. Results are sized before they are computed; only numbers and booleans are stored.
Memory is shared with `Tensor.numpy()` and `torch.from_numpy`, as in PyTorch.
"""

from __future__ import annotations

import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from engine import errors
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.costs import STEP
from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import grow, len_of_range, made
from engine.program.hashing import SETS, carried
from engine.program.kinds import BUILTIN_BASES, NO_UFUNCS, PRIORITY, missing
from engine.program.shared import made_here
from engine.program.tables import FROM_HOST, LISTED, READERS, WRITERS
from engine.program.text import represent
from engine.program.values import Builtin

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
            return bool(self.dtype == to_dtype(other))
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
    if value in (float, int, bool, complex):
        return np.dtype(value)
    if isinstance(value, str):
        found = np.dtype(value)
        if texts and found.kind == "U" and found.itemsize > 4 * WIDEST:
            raise _too_wide()
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
        meter.charge(int(self._array.size) >> 11)
        overwriting(self._array)[where] = unwrap(value)

    def __neg__(self) -> Any:
        _reserve_like(self._array)
        return wrap(-self._array)

    def __pos__(self) -> Any:
        _reserve_like(self._array)
        return wrap(+self._array)

    def __abs__(self) -> Any:
        _reserve_like(self._array)
        return wrap(abs(self._array))

    def __invert__(self) -> Any:
        _reserve_like(self._array)
        return wrap(~self._array)

    def __deepcopy__(self, memo: Any) -> Any:
        _reserve_like(self._array)
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
            raise _too_wide()
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


def _reserve_like(a: Any) -> None:
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


def _too_wide() -> TypeError:
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


def weigh_argument(value: Any) -> None:
    """Charge for handing a value to numpy, which looks at every number in it and may copy it."""
    if isinstance(value, Array):
        size = int(value._array.size)
        if size > 511:
            meter.reserve(size, 8)
            meter.charge(size >> 7)
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
                raise _too_wide()
            total += WIDEST // 2
        else:
            total += 1 if type(item) in _NUMBERS else count_leaves(item, depth + 1)
        meter.check_length(total)
    return total


_NUMBERS = frozenset({int, float, bool, complex})


def reserve(*shapes: tuple[int, ...]) -> None:
    """Charge the result of broadcasting shapes together. Raises ValueError when they do not fit."""
    meter.allocate(math.prod(np.broadcast_shapes(*shapes)), 8)


ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
"""What numpy does at each floating-point error, unless `numpy.seterr` asked for something else."""


def heeding() -> Any:
    """A context in which numpy warns of floating-point errors as the program wants it; elsewhere it never does."""
    return np.errstate(**sessions.active.settings.get(("numpy", "errors"), ERRORS))


_CALLS = 3
"""One step for so many operators and one more: functions of C may use them on each item of a container."""


def _binary(name: str, reflected: bool) -> Callable[[Array, Any], Any]:
    native, heeded = getattr(operator, name), name in _HEEDED

    def apply(self: Array, other: Any) -> Any:
        session = sessions.active
        session.numpy_calls = calls = session.numpy_calls + 1
        if not calls & _CALLS:
            meter.charge(1)
        if isinstance(other, Tensor):
            return _with_tensor(name, native, self, other, reflected)
        a = self._array
        if a.dtype.kind == "U":
            return _with_text(name, native, a, other, reflected)
        b = operand(other)
        if b is NotImplemented:
            if name == "mul" and isinstance(other, str | bytes) and not isinstance(self, Scalar):
                raise TypeError(_TEXT_TIMES)
            if (other is None or type(other) is str) and isinstance(a, np.ndarray):
                if name in ("eq", "ne"):
                    _reserve_like(a)
                    return wrap(np.full(a.shape, name == "ne"))
                _no_operand(native, a, other, reflected)
            return _with_object(name, native, a, other, reflected) if is_object(other) else NotImplemented
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            reserve_operation(name, a, b)
        if not heeded:
            return wrap(native(b, a) if reflected else native(a, b))
        with heeding():
            return wrap(native(b, a) if reflected else native(a, b))

    return apply


_HEEDED = frozenset("add sub mul truediv floordiv mod pow".split())


def _no_operand(native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> None:
    """Raises what numpy says to a text and to None, which it takes for a text and an object."""
    first: Any = a[:0] if isinstance(other, str) and a.ndim else a.ravel()[:1].tolist()
    if isinstance(other, str):
        other = other[:WIDEST]
    elif not first:
        return
    else:
        first = first[0]
    native(other, first) if reflected else native(first, other)


_TEXT_TIMES = (
    "The 'out' kwarg is necessary when using the string multiply ufunc directly. Use numpy.strings.multiply to multiply"
    " strings without specifying 'out'."
)


def join_texts(left: Any, right: Any) -> Any:
    """Each text and then another. TypeError for texts that become too long."""
    if left.dtype.kind == right.dtype.kind == "U" and left.itemsize + right.itemsize > 4 * WIDEST:
        raise _too_wide()
    meter.allocate(math.prod(np.broadcast_shapes(left.shape, right.shape)), left.itemsize + right.itemsize)
    return np.add(left, right)


def is_object(value: Any) -> bool:
    """Whether numpy takes a value for an object without numbers: one of a class of the program's own."""
    return made_here(type(value)) and not isinstance(value, (Tensor, Array, *BUILTIN_BASES))


def _with_object(name: str, native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> Any:
    """An operator between numpy and an object, whose class may ask for all that numpy has.

    Else numpy works with one number after the other, and makes an array of the results: TypeError, if there are any.
    """
    kind = type(other)
    least = 0 if isinstance(a, np.ndarray) else -1_000_000
    if name in COMPARISONS or getattr(kind, PRIORITY, least) > least or hasattr(kind, NO_UFUNCS):
        return NotImplemented
    if a.ndim == 0:
        return NotImplemented if name == "matmul" else with_number(native, a.item(), other, reflected)
    special = f"__{name.strip('_')}__" if reflected else f"__r{name.strip('_')}__"
    if not hasattr(kind, special):
        return NotImplemented if not a.size else with_number(native, a.ravel()[0].item(), other, reflected)
    raise TypeError(
        f"numpy gives each number of the array to {kind.__name__}.{special} and makes an array of objects, which are"
        f" not available here: with __array_priority__ = 1 in class {kind.__name__} it gives the array"
    )


def no_ufuncs(value: Any) -> TypeError:
    """What numpy says to an object whose class wants none of its functions."""
    return TypeError(f"operand '{type(value).__name__}' does not support ufuncs (__array_ufunc__=None)")


def with_number(native: Callable[[Any, Any], Any], number: Any, other: Any, reflected: bool) -> Any:
    """An operator between a number and an object of the program."""
    meter.charge(1)
    return native(other, number) if reflected else native(number, other)


def _with_text(name: str, native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> Any:
    """Texts compared with texts, and added to them."""
    if name not in COMPARISONS:
        given = as_array(other, texts=True)
        first, second = (given, a) if reflected else (a, given)
        if name == "add" and given.dtype.kind == "U":
            meter.charge(math.prod(np.broadcast_shapes(a.shape, given.shape)) >> 4)
            return wrap(join_texts(first, second))
        return wrap(native(first.ravel()[:0], second.ravel()[:0]))  # which numpy refuses
    if other is None and name in ("eq", "ne"):
        _reserve_like(a)
        return wrap(np.full(a.shape, name == "ne"))
    b = as_array([other] if type(other) is str else other, texts=True)
    reserve_operation(name, a, b)
    meter.charge(math.prod(np.broadcast_shapes(a.shape, b.shape)) >> 7)
    return wrap(native(a, b))


def _with_tensor(name: str, native: Callable[[Any, Any], Any], self: Array, other: Tensor, reflected: bool) -> Any:
    """An operator between numpy and torch, as the two libraries settle it.

    A scalar is a number to the tensor. An array gives way when it stands on the left; on the right it reads the tensor
    as an array, and the result becomes a tensor again.
    """
    if isinstance(self, Scalar):
        value = self.number
        if name == "matmul":
            return NotImplemented
        return native(other, value) if reflected else native(value, other)
    if name == "eq":
        return Tensor._from_array(native(self._array, np.asarray(other.detach().numpy())))
    if name == "ne":  # which neither of them answers
        return True
    if reflected:
        array = other.numpy()
        reserve_operation(name, array, self._array)
        result = native(array, self._array)
        errors.warn_array_wrap()
        return Tensor._from_array(result)
    if name == "truediv":
        return other.reciprocal() * self
    if name == "add":
        raise TypeError(
            "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not"
            " rely on this error; it may not be given on all Python implementations."
        )
    return NotImplemented


def reserve_operation(name: str, a: Any, b: Any) -> None:
    """Charge the result of an operator before it is computed."""
    left, right = np.shape(a), np.shape(b)
    if name == "matmul":
        if len(left) >= 1 and len(right) >= 1:
            columns = right[-1] if len(right) > 1 else 1
            numbers = math.prod(left[:-1]) * columns * math.prod(right[:-2])
            meter.allocate(numbers, 8)
            rows = left[-2] if len(left) > 1 else 1
            meter.product(rows, left[-1], columns, np.result_type(a, b), numbers // max(rows * columns, 1))
        return
    try:
        reserve(left, right)
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shapes {_shape(left)} {_shape(right)} "
        ) from None
    if name in _SLOW:
        meter.charge(math.prod(np.broadcast_shapes(left, right)) * _SLOW[name] // STEP)


_SLOW = {"pow": 60, "mod": 20, "floordiv": 20, "divmod": 40}
"""Nanoseconds an element of operators that take longer than making the result."""

def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _both(reflected: bool) -> Callable[[Array, Any], Any]:
    """`divmod`."""
    quotient, rest = _binary("floordiv", reflected), _binary("mod", reflected)

    def apply(self: Array, other: Any) -> Any:
        whole = quotient(self, other)
        return NotImplemented if whole is NotImplemented else (whole, rest(self, other))

    return apply


def _in_place(name: str) -> Callable[[Array, Any], Any]:
    plain = _binary(name, reflected=False)
    in_place = getattr(operator, f"i{name.strip('_')}")

    def apply(self: Array, other: Any) -> Any:
        try:
            result = plain(self, other)
        except ValueError as error:
            if str(error).startswith("operands could not be broadcast") and isinstance(self._array, np.ndarray):
                raise ValueError(f"{error}{_shape(self._array.shape)} ") from None
            raise
        if result is NotImplemented and hasattr(type(other), NO_UFUNCS) and isinstance(self._array, np.ndarray):
            raise no_ufuncs(other)
        if result is NotImplemented or isinstance(result, Tensor) or not isinstance(self._array, np.ndarray):
            return result
        target, found = self._array, result._array
        try:
            if found.shape != target.shape and name != "matmul":
                raise ValueError(
                    f"non-broadcastable output operand with shape {_shape(target.shape)} doesn't match the broadcast"
                    f" shape {_shape(found.shape)}"
                )
            np.copyto(overwriting(target), found, casting="same_kind")
        except (TypeError, ValueError):
            in_place(np.empty(0, target.dtype), np.empty(0, found.dtype))  # what does not fit is said in numpy's words
            raise
        return self

    return apply


for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    _dunder = _name.strip("_")
    setattr(Array, f"__{_dunder}__", _binary(_name, reflected=False))
    setattr(Array, f"__r{_dunder}__", _binary(_name, reflected=True))
    setattr(Array, f"__i{_dunder}__", _in_place(_name))
for _dunder, _reflected in (("__divmod__", False), ("__rdivmod__", True)):
    setattr(Array, _dunder, _both(_reflected))
COMPARISONS = "eq ne lt le gt ge".split()
for _name in COMPARISONS:
    setattr(Array, f"__{_name}__", _binary(_name, reflected=False))


# --- attributes

ATTRIBUTES: dict[str, Callable[[Any], Any]] = {
    "shape": lambda a: a.shape,
    "ndim": lambda a: a.ndim,
    "size": lambda a: a.size,
    "nbytes": lambda a: a.nbytes,
    "itemsize": lambda a: a.itemsize,
    "dtype": lambda a: DType(a.dtype),
    "T": lambda a: wrap(a.T),
    "real": lambda a: wrap(a.real),
    "imag": lambda a: wrap(a.imag),
    "flat": lambda a: wrap(a.ravel()),
    "strides": lambda a: a.strides,
    "mT": lambda a: wrap(a.mT),
}


def _astype(
    self: Array, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    wanted = to_dtype(dtype, texts=True)
    if not copy and wanted == self._array.dtype:
        return self
    meter.allocate(self._array.size, 4 * WIDEST if wanted.kind == "U" else 8)
    if "U" in (wanted.kind, self._array.dtype.kind):
        meter.charge(int(self._array.size) >> 2)
    with heeding():
        if isinstance(self, Scalar):
            return wrap(self._array.astype(wanted, casting=casting))
        return wrap(self._array.astype(wanted, memory_order(order), casting=casting))


def _reshape(self: Array, *shape: Any, order: str = "C") -> Any:
    dims = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    dims = tuple(map(operator.index, dims))
    if order == "C":
        return wrap(self._array.reshape(dims))
    _reserve_like(self._array)
    return wrap(self._array.reshape(dims, order=memory_order(order)))


def _transpose(self: Array, *axes: Any) -> Any:
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], list | tuple) else axes
    return wrap(self._array.transpose(tuple(order)) if order else self._array.transpose())


def _copy(self: Array, order: str = "C") -> Any:
    meter.allocate(self._array.size, self._array.itemsize)
    return wrap(self._array.copy() if isinstance(self, Scalar) else self._array.copy(memory_order(order)))


def _flatten(self: Array, order: str = "C") -> Any:
    meter.allocate(self._array.size, self._array.itemsize)
    return wrap(self._array.flatten(memory_order(order)))


def _view(self: Array, dtype: Any = None) -> Any:
    """The same memory as numbers of another type; as truth values never, since numpy takes theirs for 0 and 1.

    Into truth values and texts nothing can be written as numbers.
    """
    if dtype is None or dtype is Array:
        return wrap(self._array.view())
    wanted, own = to_dtype(dtype), self._array.dtype
    if wanted.kind == "b" and own.kind != "b":
        raise TypeError("view() makes no truth values of numbers here: use astype(bool)")
    view = self._array.view(wanted)
    if own.kind in "bU" and wanted.kind != own.kind and isinstance(view, np.ndarray):
        view.flags.writeable = False
    return wrap(view)


class Flags:
    """`numpy.ndarray.flags`: of which a program can clear one, `writeable`."""

    __slots__ = ("_of",)

    def __init__(self, of: Array) -> None:
        self._of = of

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str) or key.lower() not in _FLAGS and key not in _SHORT:
            raise KeyError("Unknown flag")
        return bool(self._of._array.flags[key.upper()])

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str) or key.lower() not in ("writeable", "w"):
            raise KeyError("Unknown flag")
        _lock(self._of, value)

    def __repr__(self) -> str:
        return repr(self._of._array.flags)


_SHORT = "C F O W A".split()
_FLAGS = "c_contiguous f_contiguous owndata writeable aligned writebackifcopy contiguous fortran forc fnc".split()
Flags.__name__ = Flags.__qualname__ = "flagsobj"
Flags.__module__ = "numpy._core.multiarray"


def _read_flag(value: Flags, name: str) -> Any:
    if name not in _FLAGS:
        raise missing(value, name)
    return bool(getattr(value._of._array.flags, name))


def _write_flag(target: Flags, name: str, value: Any) -> None:
    if name != "writeable":
        raise missing(target, name)
    _lock(target._of, value)


def _lock(array: Array, writeable: Any) -> None:
    if not writeable:
        array._array = array._array.view()
        array._array.flags.writeable = False
    elif not array._array.flags.writeable:
        raise ValueError("cannot set WRITEABLE flag to True of this array")


def _setflags(self: Array, write: Any = None, align: Any = None, uic: Any = None) -> None:
    if write is not None:
        _lock(self, write)


def _write(target: Array, name: str, value: Any) -> None:
    """Raises AttributeError for what an array lets nobody set."""
    a = target._array
    if name == "shape" and isinstance(a, np.ndarray):
        view = a.view()  # tensors may be of the array itself
        dims = unwrap(value)
        view.shape = tuple(map(operator.index, dims)) if isinstance(dims, list | tuple) else operator.index(dims)
        target._array = view
    elif name in ("flat", "real", "imag") and isinstance(a, np.ndarray):
        given = as_array(value)
        meter.charge(1 + (max(int(a.size), int(given.size)) >> 9))
        setattr(overwriting(a), name, given)
    elif name in ATTRIBUTES or name == "flags":
        raise AttributeError(f"attribute '{name}' of '{type(target).__name__}' objects is not writable")
    elif name in METHODS:
        raise AttributeError(f"'{type(target).__name__}' object attribute '{name}' is read-only")
    else:
        raise missing(target, name)


def _fill(self: Array, value: Any) -> None:
    meter.charge(self._array.size >> 13)
    overwriting(self._array).fill(unwrap(value))


def _resize(self: Array, *shape: Any, refcheck: bool = True) -> None:
    """In place: views of it keep what they saw, as with `refcheck=False`."""
    dims = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    size = math.prod(map(operator.index, dims))
    meter.allocate(size, self._array.itemsize)
    flat = np.zeros(size, self._array.dtype)
    kept = self._array.ravel()[:size]
    flat[: kept.size] = kept
    self._array = flat.reshape(tuple(dims))


def _sort(self: Array, axis: int = -1, kind: Any = None, *, stable: Any = None) -> None:
    meter.charge(int(self._array.size) >> 5)
    overwriting(self._array).sort(axis=axis, kind=kind, stable=stable)


def _partition(self: Array, kth: Any, axis: int = -1) -> None:
    meter.charge(int(self._array.size) >> 5)
    overwriting(self._array).partition(argument(kth), axis=axis)


def _tolist(self: Array) -> Any:
    meter.check_length(int(self._array.size))
    made(int(self._array.size) * (1 + (self._array.itemsize >> 6)))
    return self._array.tolist()


METHODS: dict[str, Callable[..., Any]] = {
    "item": lambda self, *index: self._array.item(*index),
    "tolist": _tolist,
    "copy": _copy,
    "astype": _astype,
    "reshape": _reshape,
    "transpose": _transpose,
    "flatten": _flatten,
    "view": _view,
    "setflags": _setflags,
    "partition": _partition,
    "resize": _resize,
    "tobytes": lambda self: _copy(self)._array.tobytes(),
    "fill": _fill,
    "sort": _sort,
}


_OF_NUMBERS = frozenset("is_integer as_integer_ratio hex bit_count".split())
"""Methods that numpy's scalars have from Python's numbers; which of them, the type says."""


_OF_ARRAYS = frozenset("dot partition argpartition".split())
"""Methods that numpy's scalars have not."""


def _read(value: Array, name: str) -> Any:
    attribute = ATTRIBUTES.get(name)
    if attribute is not None:
        return attribute(value._array)
    if name == "flags":
        return Flags(value)
    method = None if name in _OF_ARRAYS and isinstance(value, Scalar) else METHODS.get(name)
    if method is None:
        if name in _OF_NUMBERS and isinstance(value, Scalar) and hasattr(value._array, name):
            return Builtin(name, lambda: wrap(getattr(value._array, name)()))
        raise missing(value, name)
    return Builtin(name, lambda *args, **kwargs: method(value, *args, **kwargs))


_DTYPE_ATTRIBUTES = frozenset(
    "name kind itemsize str char num byteorder alignment fields names shape ndim isnative hasobject".split()
)


def _read_dtype(value: DType, name: str) -> Any:
    if name in _DTYPE_ATTRIBUTES:
        return getattr(value.dtype, name)
    if name == "type" and value.dtype.name in SCALARS:
        return SCALARS[value.dtype.name]
    raise missing(value, name)


_ARRAYS: list[type] = [Array, *SCALARS.values()]
for _kind in _ARRAYS:
    READERS[_kind], LISTED[_kind] = _read, [*ATTRIBUTES, *METHODS]
    WRITERS[_kind] = _write
READERS[Flags], WRITERS[Flags], LISTED[Flags] = _read_flag, _write_flag, _FLAGS
READERS[DType] = _read_dtype
FROM_HOST |= dict.fromkeys([np.ndarray, *np.sctypeDict.values(), *CONVERTED], wrapped)
sessions.closed.update(_ARRAYS, [DType, Flags])
