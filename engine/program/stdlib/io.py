"""`io`, and what `torch.save` puts away: text in memory, and objects under a name. Nothing is ever written to disk."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from posixpath import dirname
from typing import Any

from engine import errors
from engine.composites.deepcopy import deepcopy
from engine.core.registry import ops
from engine.core.tensor import Parameter, Tensor
from engine.limits import meter
from engine.nn.module import Module
from engine.program import session as sessions
from engine.program.arrays import Array
from engine.program.bridge import ONLY_IN_PROGRAMS
from engine.program.charges import clashed, grow, keyed, made, written
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.files import (
    UNSUPPORTED,
    Binary,
    Stream,
    TextIOWrapper,
    absolute,
    fspath,
    is_folder,
    lines_of,
    make_folder,
    next_line,
    opened,
    remove_folder,
)
from engine.program.operators import items
from engine.program.stdlib.copy import check, putting_away
from engine.program.text import represent
from engine.program.values import Builtin, Function

PICKLE_ERROR: Any = type("PickleError", (EXCEPTIONS["Exception"],), {"__module__": "_pickle"})
PICKLING_ERROR: Any = type("PicklingError", (PICKLE_ERROR,), {"__module__": "_pickle"})
UNPICKLING_ERROR: Any = type("UnpicklingError", (PICKLE_ERROR,), {"__module__": "_pickle"})
SIZE = 1000
"""What the size of an object in a file is said to be."""
_MADE = "tempfile", "made"
_MARKS = "io", "kept"
"""The setting that has what streams of bytes hold besides bytes, by the bytes that stand for it."""
_PLAIN = (int, float, complex, bool, str, bytes, type(None))
_CONTAINERS = {"list", "tuple", "set", "dict", "OrderedDict", "defaultdict", "Size"}


class _Memory(Stream):
    """A stream of what is in memory."""

    __module__ = "_io"
    __program__ = True

    _whole: Any = ""
    _position = 0
    _closed_text = "I/O operation on closed file"

    def _ask(self) -> None:
        if self.closed:
            raise ValueError(self._closed_text)

    def _refuse(self, given: Any) -> None:
        raise TypeError(f"string argument expected, got '{type(given).__name__}'")

    def write(self, text: Any) -> int:
        self._ask()
        if not isinstance(text, type(self._whole)):
            self._refuse(text)
        grow(self._position + len(text))
        before = self._whole[: self._position].ljust(self._position, self._zero)
        written(len(self._whole))
        self._whole = before + text + self._whole[self._position + len(text) :]
        self._position += len(text)
        return len(text)

    _zero: Any = "\0"

    def writelines(self, lines: Any) -> None:
        for line in items(lines):
            self.write(line)

    def getvalue(self) -> Any:
        self._ask()
        return self._whole

    def read(self, size: int | None = -1) -> Any:
        self._ask()
        end = len(self._whole) if size is None or size < 0 else self._position + size
        found = self._whole[self._position : end]
        self._position += len(found)
        grow(len(found))
        return found

    def readline(self) -> Any:
        end = self._whole.find(self._line, self._position)
        return self.read(-1 if end < 0 else end + 1 - self._position)

    _line: Any = "\n"

    def readlines(self) -> list[Any]:
        found: list[Any] = self.read().splitlines(keepends=True)
        made(len(found))
        return found

    def __iter__(self) -> Iterator[Any]:
        return lines_of(self)

    def __next__(self) -> Any:
        return next_line(self)

    def seek(self, offset: int, whence: int = 0) -> int:
        self._ask()
        if not whence and offset < 0:
            raise ValueError(f"{self._negative} {offset}")
        start = (0, self._position, len(self._whole))[whence]
        self._position = max(0, start + int(offset))
        return self._position

    _negative = "Negative seek position"

    def tell(self) -> int:
        self._ask()
        return self._position

    def truncate(self, size: int | None = None) -> int:
        self._ask()
        size = self._position if size is None else size
        self._whole = self._whole[:size]
        grow(len(self._whole))
        return size

    def readable(self) -> bool:
        self._ask()
        return True

    writable = seekable = readable

    def isatty(self) -> bool:
        self._ask()
        return False


class StringIO(_Memory):
    """`io.StringIO`: text in memory."""

    __module__ = "_io"
    __program__ = True

    def __init__(self, initial_value: Any = "", newline: Any = "\n") -> None:
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        self._whole = initial_value or ""


class BytesIO(_Memory):
    """`io.BytesIO`: bytes in memory, or the objects that `torch.save` and `pickle.dump` put there, whose bytes are a
    mark that is good for this run only."""

    __module__ = "_io"
    __program__ = True

    _closed_text = "I/O operation on closed file."
    _zero, _line, _negative = b"\0", b"\n", "negative seek value"

    def __init__(self, initial_bytes: Any = b"") -> None:
        if initial_bytes is not None and not isinstance(initial_bytes, bytes):
            self._refuse(initial_bytes)
        self._whole: bytes = initial_bytes or b""
        self._kept: list[Any] = list(sessions.active.settings.get(_MARKS, {}).get(self._whole, ()))

    def _refuse(self, given: Any) -> None:
        raise TypeError(f"a bytes-like object is required, not '{type(given).__name__}'")

    def _keep(self, value: Any) -> None:
        """Write an object."""
        self._ask()
        self._kept.append(value)
        marks: Any = sessions.active.settings.setdefault(_MARKS, {})
        mark = f"Backlight keeps this object for the run: {len(marks)} ".encode()
        self._whole = mark.ljust(SIZE * len(self._kept), b".")
        grow(len(self._whole))
        self._position = len(self._whole)
        marks[self._whole] = tuple(self._kept)

    def _take(self) -> Any:
        """The next object. Raises EOFError where there is none."""
        self._ask()
        at = self._position // SIZE
        if at >= len(self._kept):
            raise host_exception(EXCEPTIONS["EOFError"]("Ran out of input"))
        self._position += SIZE
        return self._kept[at]

    def getbuffer(self) -> MemoryView:
        self._ask()
        return MemoryView(self._whole)


class MemoryView:
    """`memoryview`: bytes that are looked at."""

    __module__ = "builtins"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    itemsize, format, ndim, readonly = 1, "B", 1, False

    def __init__(self, data: bytes) -> None:
        self.nbytes, self._bytes = len(data), data

    def tobytes(self) -> bytes:
        return self._bytes

    def __len__(self) -> int:
        return len(self._bytes)

    def __getitem__(self, index: Any) -> Any:
        found = self._bytes[index]
        return MemoryView(found) if isinstance(found, bytes) else found


MemoryView.__name__ = MemoryView.__qualname__ = "memoryview"
for _stream in (StringIO, BytesIO):
    _stream.__qualname__ = _stream.__name__


def _check_name(function: Function) -> None:
    """Refuse a function that nobody could find again by its name."""
    if "<locals>" in function.qualname:
        raise AttributeError(f"Can't pickle local object '{function.qualname}'")
    if "<lambda>" in function.qualname:
        raise host_exception(
            PICKLING_ERROR(
                f"Can't pickle {represent(function)}: attribute lookup {function.qualname} on __main__ failed"
            )
        )


def put_away(value: Any, known: dict[int, Any]) -> Any:
    """A copy as pickling makes it: tensors are leaves without gradients, and what was one object stays one."""
    if type(value) in _PLAIN:
        return value
    if id(value) in known:
        return known[id(value)]
    meter.charge(2)
    kind = type(value)
    if kind is Function:
        _check_name(value)
    if isinstance(value, Tensor):
        made: Any = ops.clone(Tensor.detach(value))
        made = Parameter(made, value.requires_grad) if isinstance(value, Parameter) else made
        if not isinstance(value, Parameter):
            made._requires_grad = value._requires_grad
        known[id(value)] = made
        for name, item in [*value.__dict__.items()]:
            if not hasattr(Tensor, name):
                made.__dict__[name] = put_away(item, known)
        if "__program__" in kind.__dict__:
            made.__class__ = kind
    elif kind.__name__ in _CONTAINERS and isinstance(value, dict):
        keyed(len(value))
        clashed(value, len(value))
        made = copy.copy(value)
        for key, item in value.items():
            made[key] = put_away(item, known)
    elif kind is list or kind is set:
        meter.charge(len(value) >> 3)
        if kind is set:
            clashed(value, len(value))
        made = kind(put_away(item, known) for item in value)
    elif kind is tuple:
        meter.charge(len(value) >> 3)
        made = tuple([put_away(item, known) for item in value])
    else:
        check(value)
        copied: dict[int, Any] = {}
        made = deepcopy(value, copied)
        for inside in copied.values():
            if isinstance(inside, Tensor):
                inside._grad = None
    known[id(value)] = made
    return made


def _foreign(value: Any) -> str | None:
    """The class of the first thing in it that `weights_only=True` does not allow; of a class, that itself."""
    if isinstance(value, type):
        return None if any(value is allowed for allowed in _safe_globals()) else _global_name(value)
    kind = type(value)
    if isinstance(value, Tensor) and "__program__" in kind.__dict__ and kind not in _safe_globals():
        return _global_name(kind)
    if kind in _PLAIN or isinstance(value, Tensor) or kind.__name__ in ("dtype", "device", "Size"):
        return None
    if kind.__name__ in _CONTAINERS or any(kind is allowed for allowed in _safe_globals()):
        members = value.children() if isinstance(value, Module) else () if isinstance(value, Array) else value
        members = [*value, *value.values()] if isinstance(value, dict) else members
        members = members if isinstance(members, Iterable) else vars(value).values()
        return next((found for found in map(_foreign, members) if found), None)
    if kind.__module__ == "numpy":  # which has functions make its arrays and numbers
        return f"numpy._core.multiarray.{'_reconstruct' if kind is Array else 'scalar'}"
    return _global_name(kind)


def _global_name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _safe_globals() -> list[Any]:
    """The classes that the program lets `weights_only=True` load."""
    found: list[Any] = sessions.active.settings.setdefault(("torch.serialization", "safe_globals"), [])
    return found


def _add_safe_globals(safe_globals: Any) -> None:
    for allowed in items(safe_globals):
        grow(1)
        _safe_globals().append(allowed[0] if type(allowed) is tuple and allowed else allowed)


class SafeGlobals:
    """`torch.serialization.safe_globals`."""

    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, safe_globals: Any) -> None:
        self._more = list(items(safe_globals))
        self._before: list[Any] = []

    def __enter__(self) -> None:
        self._before = list(_safe_globals())
        _add_safe_globals(self._more)

    def __exit__(self, *exception: object) -> None:
        _safe_globals()[:] = self._before


SafeGlobals.__module__, SafeGlobals.__qualname__ = "torch.serialization", "safe_globals"


def _path(file: Any, name: str) -> str:
    try:
        return fspath(file)
    except TypeError:
        raise AttributeError(
            f"expected 'f' to be string, path, or a file-like object with a '{name}' attribute"
        ) from None


def keep(obj: Any, f: Any) -> None:
    """Write a copy of an object to an open file."""
    check(obj)
    with putting_away():
        kept = put_away(obj, {})
    if type(f) is BytesIO:
        f._keep(kept)
    else:
        f.keep(kept, SIZE)


def kept_in(f: Any) -> Any:
    """The next object of an open file, as it is kept. Raises EOFError where there is none."""
    return f._take() if type(f) is BytesIO else f.kept()


def _save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **options: Any) -> None:
    if type(f) in (BytesIO, Binary):
        keep(obj, f)
        return
    path = _path(f, "write")
    if not is_folder(dirname(absolute(path))):
        raise RuntimeError(f"Parent directory {dirname(path)} does not exist.")
    with opened(path, "wb") as file:
        keep(obj, file)


def _load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None,
    mmap: bool | None = None, **options: Any,
) -> Any:  # fmt: skip
    if type(f) in (BytesIO, Binary):
        kept = kept_in(f)
    else:
        with opened(_path(f, "read"), "rb") as file:
            kept = kept_in(file)
    foreign = _foreign(kept) if weights_only in (None, True) else None
    if foreign is not None:
        raise host_exception(UNPICKLING_ERROR(errors.weights_only_text(foreign)))
    sessions.active.epoch[0] += 1
    return put_away(kept, {})


for _function, _name in ((_save, "save"), (_load, "load")):
    _function.__name__ = _function.__qualname__ = _name


def _fresh(suffix: Any, prefix: Any, dir: Any) -> str:
    """A path where nothing is."""
    made: Any = sessions.active.settings
    made[_MADE] = number = made.get(_MADE, -1) + 1
    before, after = fspath(prefix or "tmp"), fspath(suffix or "")
    return f"{fspath(dir or '/tmp')}/{before}{number:08}{after}"


def _mkdtemp(suffix: Any = None, prefix: Any = None, dir: Any = None) -> str:
    path = _fresh(suffix, prefix, dir)
    make_folder(path, False, False)
    return path


def _temporary_file(
    mode: Any = "w+b", buffering: Any = -1, encoding: Any = None, newline: Any = None, suffix: Any = None,
    prefix: Any = None, dir: Any = None, delete: Any = True, **options: Any,
) -> Any:  # fmt: skip
    file = opened(_fresh(suffix, prefix, dir), mode)
    file._passing = bool(delete)
    return file


class TemporaryDirectory:
    """`tempfile.TemporaryDirectory`."""

    __module__ = "tempfile"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, suffix: Any = None, prefix: Any = None, dir: Any = None, **options: Any) -> None:
        self.name = _mkdtemp(suffix, prefix, dir)

    def __enter__(self) -> Any:
        return self.name

    def __exit__(self, *exception: object) -> None:
        self.cleanup()

    def cleanup(self) -> None:
        if is_folder(self.name):
            remove_folder(self.name, True)


TemporaryDirectory.__qualname__ = "TemporaryDirectory"

SERIALIZATION: dict[str, Any] = {
    "save": Builtin("save", _save),
    "load": Builtin("load", _load),
    "add_safe_globals": Builtin("add_safe_globals", _add_safe_globals),
    "get_safe_globals": Builtin("get_safe_globals", lambda: list(_safe_globals())),
    "clear_safe_globals": Builtin("clear_safe_globals", lambda: _safe_globals().clear()),
    "safe_globals": SafeGlobals,
}
ONLY_IN_PROGRAMS |= {f"torch.{name}": SERIALIZATION[name] for name in ("save", "load")}

MODULES: dict[str, dict[str, Any]] = {
    "io": {
        "StringIO": StringIO, "BytesIO": BytesIO, "TextIOWrapper": TextIOWrapper, "UnsupportedOperation": UNSUPPORTED,
        "open": Builtin("open", opened), "SEEK_SET": 0, "SEEK_CUR": 1, "SEEK_END": 2, "DEFAULT_BUFFER_SIZE": 8192,
    },
    "tempfile": {
        "gettempdir": Builtin("gettempdir", lambda: "/tmp"), "mkdtemp": Builtin("mkdtemp", _mkdtemp),
        "TemporaryDirectory": TemporaryDirectory, "TemporaryFile": Builtin("TemporaryFile", _temporary_file),
        "NamedTemporaryFile": Builtin("NamedTemporaryFile", _temporary_file),
    },
}  # fmt: skip
