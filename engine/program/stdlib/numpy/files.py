"""`numpy.loadtxt`, `genfromtxt`, `savetxt`, `save` and `load`, over the files of a run."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import files
from engine.program.arrays import Array, as_array, to_dtype, unwrap, wrap
from engine.program.operators import items
from engine.program.stdlib.io import keep, kept_in
from engine.program.values import Builtin

_LOADTXT = frozenset("dtype comments delimiter skiprows usecols unpack ndmin encoding max_rows".split())
_GENFROMTXT = frozenset(
    "dtype comments delimiter skip_header skip_footer missing_values filling_values usecols unpack max_rows encoding"
    " invalid_raise".split()
)


def _text(source: Any) -> str:
    """The text of a file, an open file or lines. Raises FileNotFoundError in numpy's words."""
    if files.names_file(source):
        path = files.fspath(source)
        content = files.content_of(path)
        if content is None:
            raise files.missing(f"{path} not found.")
        data = content.data()
    else:
        data = source.read() if hasattr(source, "read") else "\n".join(str(line).rstrip("\n") for line in items(source))
    text = data.decode("latin-1") if isinstance(data, bytes) else str(data)
    meter.charge(1 + (len(text) >> 3))
    return text


def _plain(value: Any) -> Any:
    return tuple(int(n) for n in items(value)) if isinstance(value, list | tuple | range) else value


def _reader(name: str, known: frozenset[str]) -> Builtin:
    native = getattr(np, name)

    def run(fname: Any, dtype: Any = float, *args: Any, **options: Any) -> Any:
        given = dict(zip(("comments", "delimiter"), args, strict=False)) | options
        for key in given:
            if key not in known:
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        text = _text(fname)
        cells = text.count("\n") + 1 + sum(map(text.count, (given.get("delimiter") or " ",)))
        meter.allocate(cells, 16)
        given = {key: _plain(value) for key, value in given.items() if key != "encoding"}
        kind = None if dtype is None else to_dtype(dtype)
        return wrap(native(io.StringIO(text), dtype=kind, encoding="utf-8", **given))

    return Builtin(name, run)


def _savetxt(
    fname: Any, X: Any, fmt: Any = "%.18e", delimiter: str = " ", newline: str = "\n", header: str = "",
    footer: str = "", comments: str = "# ", encoding: Any = None,
) -> None:  # fmt: skip
    array = unwrap(X if isinstance(X, Array) else wrap(np.asarray(X)))
    meter.charge(1 + array.size)
    made = io.StringIO()
    fmt = fmt if isinstance(fmt, str) else [str(one) for one in items(fmt)]
    np.savetxt(made, array, fmt, str(delimiter), str(newline), str(header), str(footer), str(comments))
    text = made.getvalue()
    if files.names_file(fname):
        file = files.opened(files.fspath(fname), "w")
        file.write(text)
        file.close()
    else:
        fname.write(text)


def _save(file: Any, arr: Any, allow_pickle: Any = True) -> None:
    array = arr if isinstance(arr, Array) else wrap(np.asarray(unwrap(arr)))
    if files.names_file(file):
        path = files.fspath(file)
        with files.opened(path if path.endswith(".npy") else f"{path}.npy", "wb") as opened:
            keep(array, opened)
    else:
        keep(array, file)


_ARCHIVE = "numpy.savez"
"""What marks a dictionary of arrays in a file as an archive of them."""


def _savez(file: Any, *args: Any, allow_pickle: Any = True, **kwds: Any) -> None:
    arrays = dict(kwds)
    for place, arr in enumerate(args):
        if f"arr_{place}" in kwds:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{place}")
        arrays[f"arr_{place}"] = arr
    found = {name: wrap(np.array(as_array(arr, texts=True))) for name, arr in arrays.items()}
    if files.names_file(file):
        path = files.fspath(file)
        with files.opened(path if path.endswith(".npz") else f"{path}.npz", "wb") as opened:
            keep({_ARCHIVE: found}, opened)
    else:
        keep({_ARCHIVE: found}, file)


class NpzFile:
    """`numpy.lib.npyio.NpzFile`: arrays by name."""

    __module__ = "numpy.lib.npyio"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        self._arrays, self._name = arrays, name

    @property
    def files(self) -> list[str]:
        return list(self._arrays)

    def __getitem__(self, key: Any) -> Any:
        if key not in self._arrays:
            raise KeyError(f"{key} is not a file in the archive")
        array = unwrap(self._arrays[key])
        meter.allocate(array.size, array.itemsize)
        return wrap(array.copy())

    def __contains__(self, key: Any) -> bool:
        return key in self._arrays

    def __len__(self) -> int:
        return len(self._arrays)

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def keys(self) -> list[str]:
        return self.files

    def values(self) -> list[Any]:
        return [self[name] for name in self._arrays]

    def items(self) -> list[tuple[str, Any]]:
        return [(name, self[name]) for name in self._arrays]

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self._arrays else default

    def close(self) -> None:
        pass

    def __enter__(self) -> NpzFile:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __repr__(self) -> str:
        shown = ", ".join(self.files[:5]) + ("..." if len(self._arrays) > 5 else "")
        return f"NpzFile {self._name!r} with keys: {shown}"


def _load(file: Any, mmap_mode: Any = None, allow_pickle: Any = False, **options: Any) -> Any:
    if files.names_file(file):
        with files.opened(files.fspath(file), "rb") as opened:
            found = kept_in(opened)
    else:
        found = kept_in(file)
    if type(found) is dict and list(found) == [_ARCHIVE]:
        return NpzFile(found[_ARCHIVE], files.fspath(file) if files.names_file(file) else "object")
    if not isinstance(found, Array):
        raise ValueError("This file contains pickled (object) data, which np.load does not read here.")
    return wrap(unwrap(found).copy())


FILES: dict[str, Any] = {
    "loadtxt": _reader("loadtxt", _LOADTXT), "genfromtxt": _reader("genfromtxt", _GENFROMTXT),
    "savetxt": Builtin("savetxt", _savetxt), "save": Builtin("save", _save), "load": Builtin("load", _load),
    "savez": Builtin("savez", _savez), "savez_compressed": Builtin("savez_compressed", _savez),
}  # fmt: skip
