"""`torch.save` and `torch.load`: pickles, of which only weights are loaded unless the caller trusts the file.

The files are Python's pickles and not the archives that PyTorch writes: what is saved here is loaded here.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from engine import errors, settings
from engine.signatures.complaints import place_of
from engine.torch import _utils
from engine.torch.standing import stand_in

_WEIGHTS = {(function.__module__, function.__qualname__) for function in _utils.REBUILD} | {
    ("collections", "OrderedDict"),
    ("collections", "Counter"),
    ("builtins", "set"),
    ("builtins", "bytearray"),
    ("builtins", "complex"),
    ("torch", "Size"),
    ("torch", "device"),
    ("engine.core.hooks", "OrderedDict"),
    ("engine.types.dtypes", "parse"),
}
"""Modules and names that a file of weights may ask for."""

_safe: list[Any] = settings.contents([])
"""Classes and functions that the program adds to them."""


def get_safe_globals() -> list[Any]:
    """What `load` takes of weights, besides what it always does."""
    return list(_safe)


def add_safe_globals(safe_globals: Sequence[Any]) -> None:
    """Let `load` take these of weights: classes and functions, or pairs of one and its name in the file."""
    _safe.extend(safe_globals)


def clear_safe_globals() -> None:
    """Forget what was added."""
    _safe.clear()


@contextmanager
def safe_globals(safe_globals: Sequence[Any]) -> Iterator[None]:
    """`add_safe_globals` for a block."""
    before = get_safe_globals()
    _safe.extend(safe_globals)
    try:
        yield
    finally:
        _safe[:] = before


def _name(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


class _WeightsUnpickler(pickle.Unpickler):
    """Finds nothing but what weights are made of."""

    def find_class(self, module: str, name: str) -> Any:
        asked = f"{module}.{name}"
        for value in _safe:
            found, known = value if isinstance(value, tuple) else (value, _name(value))
            if asked == known:
                return found
        if (module, name) in _WEIGHTS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(errors.weights_only_text(name if module == "builtins" else asked))


class _Pickler(pickle.Pickler):
    """Names functions by where PyTorch has them."""

    def reducer_override(self, obj: Any) -> Any:
        place = place_of(obj) if type(obj) is FunctionType else None
        return NotImplemented if place is None else (_utils.published, place)


def _dumped(obj: Any, protocol: int) -> bytes:
    file = io.BytesIO()
    _Pickler(file, protocol).dump(obj)
    return file.getvalue()


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write an object to a file, by its path or opened for bytes."""
    protocol = max(pickle_protocol, 4)  # the first that has bytes of their own
    with _known_as_torch():
        data = _dumped(obj, protocol) if pickle_module is pickle else pickle_module.dumps(obj, protocol=protocol)
    if hasattr(f, "write"):
        f.write(data)
        return
    path = _path(f, "write")
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise errors.save_without_folder(folder)
    with open(path, "wb") as file:
        file.write(data)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """What a file has, by its path or opened for bytes; the whole of it only with `weights_only=False`.

    UnpicklingError for anything but weights otherwise.
    """
    if not hasattr(f, "read"):
        with open(_path(f, "read"), "rb") as file:
            return _loaded(io.BytesIO(file.read()), weights_only, pickle_module)
    return _loaded(f, weights_only, pickle_module)


def _loaded(file: Any, weights_only: bool | None, pickle_module: Any) -> Any:
    if weights_only is None:
        weights_only = pickle_module is None
    with _known_as_torch():
        return _WeightsUnpickler(file).load() if weights_only else (pickle_module or pickle).load(file)


@contextmanager
def _known_as_torch() -> Iterator[None]:
    """Pickles name classes by where PyTorch has them: within, they are there."""
    added = stand_in() if "torch" not in sys.modules else {}
    sys.modules.update(added)
    try:
        yield
    finally:
        for name in added:
            sys.modules.pop(name, None)


def _path(f: Any, method: str) -> str:
    try:
        return str(os.fspath(f))
    except TypeError:
        raise errors.save_to_no_file(method) from None


__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "load", "safe_globals", "save"]
