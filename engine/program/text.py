"""Text of values: `repr`, `str`, f-strings, `format` and `%`.

Formatting is done here because Python's own can be asked for gigabytes of padding: widths and precisions are checked.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType
from typing import Any

import engine.torch as torch
from engine.codegen.publish import NAMESPACES
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional
from engine.program import session as sessions
from engine.program.charges import digits, grow, written
from engine.program.hashing import arranged
from engine.program.values import fake_address, nested
from engine.signatures.native import known

MAX_WIDTH = 10_000
_SCALARS: frozenset[type] = frozenset(
    {int, float, bool, complex, str, bytes, type(None), type(...), type(NotImplemented)}
)


# --- repr and str


def to_text(value: Any) -> str:
    """`str(value)`."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind in _SCALARS:
        if kind is int:
            digits(value)
        elif kind is bytes:
            written(len(value))
        return str(value)
    if kind is MappingProxyType:
        return represent(value | {})
    special = REPRS.get(kind)
    if special is not None or isinstance(value, type) and kind.__str__ is _STR or _inherited(kind):
        return represent(value)
    with nested():
        text = addressed(str(value), value)
    grow(len(text))
    return text


def addressed(text: str, value: Any) -> str:
    """The text of a value of the engine's, which shows real addresses, with those that the program sees."""
    if " at 0x" in text:
        for shown in (value, *value) if isinstance(value, tuple) else (value,):
            real = f" at {id(shown):#x}"
            if real in text:
                text = text.replace(real, f" at {fake_address(shown)}")
        written(len(text))
        text = _ADDRESS.sub(_given, text)
    return text


_ADDRESS = re.compile(r" at (0x[0-9a-f]+)")


def _given(found: re.Match[str]) -> str:
    """An address that the run has given, or what stands for one of the machine's: of a value that a layer shows."""
    return found[0] if sessions.active.gave(int(found[1], 16)) else " at 0xADDR"


def represent(value: Any) -> str:
    """`repr(value)`, with its total length limited while it is being put together."""
    kind = type(value)
    if kind in _SCALARS:
        if kind is int:
            digits(value)
        elif kind is str or kind is bytes:
            written(len(value))
        return repr(value)
    with nested():
        return _Writer().write(value)


def represent_as(kind: Any, value: Any) -> str:
    """What `__repr__` of one of Python's containers writes of an object of a class derived from it."""
    with nested():
        return _INHERITED[kind.__repr__](_Writer(), value)


class _Writer:
    """Builds one repr; knows how much it has written and which containers it is inside of."""

    def __init__(self) -> None:
        self.inside: set[int] = set()
        self.written = 0

    def write(self, value: Any) -> str:
        kind = type(value)
        special = REPRS.get(kind)
        if special is None:
            special = _INHERITED.get(kind.__repr__)
        if special is not None:
            return special(self, value)
        meter.charge(1)
        text = _class(self, value) if isinstance(value, type) else addressed(repr(value), value)
        self.count(len(text))
        return text

    def length(self, value: Any) -> int:
        """How many items a container has, whatever its class says."""
        kind = type(value)
        if kind in REPRS:
            return len(value)
        bases: tuple[Any, ...] = (dict, list, tuple)
        length: int = next(base.__len__(value) for base in bases if isinstance(value, base))
        return length

    def count(self, length: int) -> None:
        self.written += length
        meter.check_length(self.written)
        if length > 63:
            meter.charge(length >> 6)

    def join(self, value: Any, parts: Callable[[], list[str]], template: str) -> str:
        key = id(value)
        if key in self.inside:
            return template.format("...")
        if len(self.inside) > 100:
            raise RecursionError("maximum recursion depth exceeded while getting the repr of an object")
        self.inside.add(key)
        try:
            length = self.length(value)
            meter.charge(1 + (length >> 3))
            self.count(2 * length + 2)
            return template.format(", ".join(parts()))
        finally:
            self.inside.discard(key)


def _sequence(template: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, value: Any) -> str:
        return writer.join(value, lambda: [writer.write(item) for item in value], template)

    return write


def _tuple(writer: _Writer, value: Any) -> str:
    template = "({},)" if len(value) == 1 else "({})"
    return writer.join(value, lambda: [writer.write(item) for item in value], template)


def _pairs(writer: _Writer, value: Any) -> list[str]:
    return [f"{writer.write(key)}: {writer.write(item)}" for key, item in value.items()]


def _dict(template: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, value: Any) -> str:
        return writer.join(value, lambda: _pairs(writer, value), template)

    return write


def _set(writer: _Writer, value: Any) -> str:
    if not value:
        return "set()"
    return writer.join(value, lambda: [writer.write(item) for item in arranged(value)], "{{{}}}")


def _frozenset(writer: _Writer, value: Any) -> str:
    if not value:
        return "frozenset()"
    return writer.join(value, lambda: [writer.write(item) for item in arranged(value)], "frozenset({{{}}})")


def _ordered(writer: _Writer, value: Any) -> str:
    # As Python 3.11 prints it, whichever Python runs: PyTorch's recorded answers show state dicts this way.
    if not value:
        return "OrderedDict()"
    return writer.join(value, lambda: [writer.write(pair) for pair in value.items()], "OrderedDict([{}])")


def _counter(writer: _Writer, value: Any) -> str:
    if not value:
        return "Counter()"
    ordered = dict(value.most_common())
    return writer.join(value, lambda: _pairs(writer, ordered), "Counter({{{}}})")


def _defaultdict(writer: _Writer, value: Any) -> str:
    factory = "None" if value.default_factory is None else writer.write(value.default_factory)
    inside = writer.join(value, lambda: _pairs(writer, value), "{{{}}}")
    return f"defaultdict({factory}, {inside})"


def _deque(writer: _Writer, value: Any) -> str:
    template = "deque([{}])" if value.maxlen is None else f"deque([{{}}], maxlen={value.maxlen})"
    return writer.join(value, lambda: [writer.write(item) for item in value], template)


def _view(name: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, value: Any) -> str:
        return writer.join(value, lambda: [writer.write(item) for item in value], name + "([{}])")

    return write


def _scalar(writer: _Writer, value: Any) -> str:
    if type(value) is int:
        digits(value)
    text = repr(value)
    writer.count(len(text))
    return text


def _slice(writer: _Writer, value: slice) -> str:
    meter.charge(1)
    return f"slice({', '.join(map(writer.write, (value.start, value.stop, value.step)))})"


def _method(writer: _Writer, value: Any) -> str:
    function = value.__func__
    qualname = getattr(function, "__qualname__", type(function).__name__)
    if type(function) is FunctionType and isinstance(value.__self__, Tensor) and "." not in qualname:
        qualname = f"Tensor.{qualname}"  # a composite here, a method in PyTorch
    return f"<bound method {qualname} of {writer.write(value.__self__)}>"


_WRITTEN_IN_PYTHON = frozenset(
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul einsum meshgrid"
    " norm split stft tensordot unique_consecutive".split()
)
"""Functions of `torch` with signatures of PyTorch's parser that are functions of Python all the same."""
_OF_C_MODULES = frozenset(
    "avg_pool2d avg_pool3d elu_ gelu hardtanh_ leaky_relu_ linear log_sigmoid one_hot scaled_dot_product_attention"
    " softplus softshrink".split()
)
"""Functions of `torch.nn.functional` that PyTorch has from a module written in C, and not from a class."""


def _native(value: FunctionType) -> str | None:
    """What PyTorch prints for a function that it has written in C; None for one of Python."""
    name = value.__name__
    if vars(torch).get(name) is value and known("torch", name) and name not in _WRITTEN_IN_PYTHON:
        return f"<built-in method {name} of type object at {fake_address(Tensor)}>"
    if vars(functional).get("logsigmoid" if name == "log_sigmoid" else name) is value and (
        known("functional", name) or name in _OF_C_MODULES
    ):
        of_class = f"<built-in method {name} of type object at {fake_address(Tensor)}>"
        return f"<built-in function {name}>" if name in _OF_C_MODULES else of_class
    for space in ("linalg", "fft", "special"):
        plain = name.removeprefix(f"{space}_")
        if NAMESPACES[space].get(plain) is value and known(space, plain):
            return f"<built-in function {name}>"
    return None


def _host_function(writer: _Writer, value: Any) -> str:
    native = _native(value) if type(value) is FunctionType else None
    if native is not None:
        return native
    return f"<function {value.__name__} at {fake_address(value)}>"


def torch_module(name: str) -> str:
    """What programs see as the module of something of the engine."""
    room, _, inside = name.partition(".")
    if room != "engine":
        return name
    return inside if inside.partition(".")[0] == "torch" else f"torch.{inside}"


def _class(writer: _Writer, value: type) -> str:
    if type(value).__repr__ is not type.__repr__:
        return repr(value)
    return written_class(value)


def written_class(value: type) -> str:
    """What Python writes of a class, whatever its metaclass says."""
    module = torch_module(value.__module__)
    qualname = value.__qualname__
    return f"<class '{qualname}'>" if module == "builtins" else f"<class '{module}.{qualname}'>"


REPRS: dict[type, Callable[[_Writer, Any], str]] = {
    **dict.fromkeys(_SCALARS, _scalar),
    object: lambda writer, value: f"<object object at {fake_address(value)}>",
    list: _sequence("[{}]"),
    tuple: _tuple,
    dict: _dict("{{{}}}"),
    set: _set,
    frozenset: _frozenset,
    OrderedDict: _ordered,
    Counter: _counter,
    defaultdict: _defaultdict,
    deque: _deque,
    type({}.keys()): _view("dict_keys"),
    type({}.values()): _view("dict_values"),
    type({}.items()): _view("dict_items"),
    type(OrderedDict().keys()): _view("odict_keys"),
    type(OrderedDict().values()): _view("odict_values"),
    type(OrderedDict().items()): _view("odict_items"),
    slice: _slice,
    MethodType: _method,
    FunctionType: _host_function,
    BuiltinFunctionType: _host_function,
}


_INHERITED: dict[Any, Callable[[_Writer, Any], str]] = {
    list.__repr__: lambda writer, value: writer.join(
        value, lambda: [writer.write(item) for item in list.__iter__(value)], "[{}]"
    ),
    tuple.__repr__: lambda writer, value: writer.join(
        value,
        lambda: [writer.write(item) for item in tuple.__iter__(value)],
        "({},)" if tuple.__len__(value) == 1 else "({})",
    ),
    dict.__repr__: lambda writer, value: writer.join(
        value, lambda: [f"{writer.write(key)}: {writer.write(item)}" for key, item in dict.items(value)], "{{{}}}"
    ),
}
"""`__repr__` of Python's containers, which classes derived from them have, too."""
_FORMAT: Any = object.__format__
_STR: Any = object.__str__


def _inherited(kind: type) -> bool:
    """Whether `str` of a class is the `repr` of one of Python's containers."""
    return kind.__str__ is _STR and kind.__repr__ in _INHERITED


def default_repr(value: Any) -> str:
    """`<__main__.Net object at 0x…>`."""
    kind = type(value)
    return f"<{kind.__module__}.{kind.__qualname__} object at {fake_address(value)}>"


# --- format specifications

_SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?(\d*)[_,]?(?:\.(\d+))?[a-zA-Z%]?", re.DOTALL)
_DIGITS = re.compile(r"\d{5,}")


def check_spec(spec: str) -> None:
    """Refuse a width or precision that would make enormous text."""
    meter.charge(len(spec) >> 5)
    found = _SPEC.fullmatch(spec)
    if found is None:
        if _DIGITS.search(spec):
            raise ValueError("Too many decimal digits in format string")
        return
    for number in found.groups():
        if number and (len(number) > 6 or int(number) > MAX_WIDTH):
            raise ValueError(f"width and precision in a format are limited to {MAX_WIDTH} here")


_FULLY_NAMED = frozenset({"dtype", "device", "layout", "memory_format", "Size", "finfo", "iinfo"})
"""PyTorch's classes in C, which Python calls by their module, too."""


def format_value(value: Any, spec: str) -> str:
    """`format(value, spec)`."""
    kind = type(value)
    if not spec and (kind in REPRS or isinstance(value, type) or kind.__format__ is _FORMAT and _inherited(kind)):
        return to_text(value)
    check_spec(spec)
    if isinstance(value, type):
        raise TypeError("unsupported format string passed to type.__format__")
    if spec and type(value).__module__ == "torch" and type(value).__name__ in _FULLY_NAMED:
        raise TypeError(f"unsupported format string passed to torch.{type(value).__name__}.__format__")
    if type(value) is int:
        digits(value)
    text = addressed(format(value, spec), value)
    if type(value) not in _SCALARS:
        grow(len(text))
    return text


def convert(value: Any, conversion: str | None) -> Any:
    """`!r`, `!s`, `!a`."""
    if conversion == "r":
        return represent(value)
    if conversion == "s":
        return to_text(value)
    if conversion == "a":
        text = represent(value)
        meter.charge(len(text) >> 5)
        return text.encode("ascii", "backslashreplace").decode("ascii")
    return value


# --- % formatting

_CONVERSION = re.compile(
    r"%(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.)?", re.DOTALL
)


def percent_bytes(template: bytes, values: Any) -> bytes:
    """The same for bytes."""
    written(2 * len(template))
    return percent(template.decode("latin-1"), values, (str, tuple, bytes), _bytes_item).encode("latin-1")


def percent(template: str, values: Any, single: tuple[type, ...] = (str, tuple), write: Any = None) -> str:
    """`template % values`. `single`: kinds of values that are no mapping, `write`: what writes an item that is not
    `_percent_item`."""
    args = values if type(values) is tuple else (values,)
    mapping = values if hasattr(type(values), "__getitem__") and not isinstance(values, single) else None
    position = 0
    used = 0
    length = 0
    out = []

    def take() -> Any:
        nonlocal used
        if used >= len(args):
            raise TypeError("not enough arguments for format string")
        used += 1
        return args[used - 1]

    def number(text: str | None) -> int | None:
        if text is None:
            return None
        if text == "*":
            value = take()
            if not isinstance(value, int):
                raise TypeError("* wants int")
        else:
            value = int(text[:9] or "0")
        if abs(value) > MAX_WIDTH:
            raise ValueError(f"width and precision in a format are limited to {MAX_WIDTH} here")
        return int(value)

    while True:
        start = template.find("%", position)
        if start < 0:
            out.append(template[position:])
            break
        out.append(template[position:start])
        found = _CONVERSION.match(template, start)
        key, flags, width_text, precision_text, kind = found.groups() if found else (None, "", None, None, None)
        if kind is None or found is None:
            raise ValueError("incomplete format")
        if kind == "(" and key is None:
            if mapping is None:
                raise TypeError("format requires a mapping")
            raise ValueError("incomplete format key")
        position = found.end()
        if found.group() == "%%":
            out.append("%")
            continue
        if key is not None:
            if mapping is None:
                raise TypeError("format requires a mapping")
            args, used = (mapping[key if write is None else key.encode("latin-1")],), 0
        width, precision = number(width_text), number(precision_text)
        text = (write or _percent_item)(flags, width, precision, kind, take, found.end() - 1)
        length += len(text)
        grow(length)
        out.append(text)
    if mapping is None and used < len(args):
        raise TypeError(f"not all arguments converted during {'string' if write is None else 'bytes'} formatting")
    return "".join(out)


def _bytes_item(
    flags: str, width: int | None, precision: int | None, kind: str, take: Callable[[], Any], index: int
) -> str:
    if kind not in "sbrac":
        return _percent_item(flags, width, precision, kind, take, index)
    value = take()
    if kind in "ra":
        value = convert(value, "a")
    elif kind == "c":
        if isinstance(value, int) and not 0 <= value < 256:
            raise OverflowError("%c arg not in range(256)")
        if not (isinstance(value, int) or isinstance(value, bytes) and len(value) == 1):
            raise TypeError("%c requires an integer in range(256) or a single byte")
        value = value.decode("latin-1") if isinstance(value, bytes) else chr(value)
    elif isinstance(value, bytes):
        written(2 * len(value))
        value = value.decode("latin-1")
    else:
        shown = type(value).__name__
        raise TypeError(f"%b requires a bytes-like object, or an object that implements __bytes__, not '{shown}'")
    return _percent_item(flags, width, precision, "s", lambda: value, index)


def _percent_item(
    flags: str, width: int | None, precision: int | None, kind: str, take: Callable[[], Any], index: int
) -> str:
    if width is not None and width < 0:
        flags, width = flags + "-", -width
    spec = "%" + flags + ("" if width is None else str(width)) + ("" if precision is None else f".{precision}") + kind
    if kind in "sra":
        return (spec[:-1] + "s") % (convert(take(), kind),)
    value = take()
    if kind in "diuoxXeEfFgGc":
        if type(value) is int:
            digits(value)
        return spec % (value,)
    raise ValueError(f"unsupported format character {kind!r} ({ord(kind):#x}) at index {index}")
