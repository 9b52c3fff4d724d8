"""Functions of the engine's own making, compiled when they are first called.

Hundreds of ops in several forms take seconds to compile, and a program calls a few of them. Until then a function has
its final signature and a body that compiles it; from then on it has its final code, so that whoever held the function
(a table, a class, another module) holds the compiled one. Nothing is left to do at later calls. What a process compiles
that needs all of it is kept beside the package's own bytecode, by its source, for the next such process.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
import zlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from threading import RLock
from types import CodeType, FunctionType
from typing import Any

_LOCK = RLock()
MISSING = object()
"""The default of a parameter that must be given, where the function itself says so."""

_FOR = f"{sys.implementation.cache_tag}-{sys.hexversion:x}-{sys.flags.optimize}"
KEPT = Path(__file__).parent / "__pycache__" / f"deferred.{_FOR}"
"""The file of marshalled code by the hash of its source."""

_pending: list[Callable[[], object]] = []
_known: dict[bytes, bytes] | None = None
"""Contents of `KEPT`, while all is compiled."""
_used: dict[bytes, bytes] = {}
"""Code that was asked for meanwhile."""


def compile_all() -> None:
    """Compile what no call has asked for yet: before a fork, for the processes that come of it."""
    global _known  # noqa: PLW0603 - the functions that are finished do not know for whom
    _known = _read()
    try:
        while _pending:
            _pending.pop()()
        if not _used.keys() <= _known.keys():
            _write(_used)
    finally:
        _known = None
        _used.clear()


def _read() -> dict[bytes, bytes]:
    try:
        found = marshal.loads(zlib.decompress(KEPT.read_bytes()))
    except (OSError, ValueError, EOFError, TypeError, zlib.error):
        return {}
    return found if type(found) is dict else {}


def _write(known: dict[bytes, bytes]) -> None:
    """Replace the file; where nothing can or is to be written, every process compiles for itself."""
    if sys.dont_write_bytecode:
        return
    with contextlib.suppress(OSError):
        KEPT.parent.mkdir(exist_ok=True)
        beside = KEPT.with_suffix(f".{os.getpid()}")
        beside.write_bytes(zlib.compress(marshal.dumps(known), 3))
        beside.replace(KEPT)


def _compiled(source: str, file: str) -> CodeType:
    """The code of a module, from what is kept where that is at hand."""
    known = _known
    if known is None:
        return compile(source, file, "exec")
    key = hashlib.blake2b(f"{file}\0{source}".encode(), digest_size=16).digest()
    kept = _used[key] = known.get(key) or marshal.dumps(compile(source, file, "exec"))
    code: CodeType = marshal.loads(kept)
    return code


def later(finish: Callable[[], object]) -> None:
    """Have `compile_all` call this, which may have been called by then."""
    _pending.append(finish)


class Pending:
    """A function that was not called yet. `write` gives its source, and names that only it needs."""

    __slots__ = ("function", "write")

    def __init__(self, write: Callable[[], tuple[str, dict[str, Any]]]) -> None:
        self.write: Callable[[], tuple[str, dict[str, Any]]] | None = write
        self.function: FunctionType

    def finish(self) -> None:
        """Give the function its code; another thread may have done so."""
        with _LOCK:
            if self.write is None:
                return
            function = self.function
            source, names = self.write()
            function.__globals__.update(names)
            scope: dict[str, FunctionType] = {}
            exec(_compiled(source, function.__code__.co_filename), function.__globals__, scope)
            function.__code__ = scope[function.__code__.co_name].__code__
            function.__dict__["source"] = source
            self.write = None

    def finished(self, arguments: dict[str, Any]) -> Callable[[], Any]:
        """The call that the unfinished function was given: it makes that itself, so that no frame is between."""
        code = self.function.__code__
        names, count = code.co_varnames, code.co_argcount
        self.finish()
        options = names[count : count + code.co_kwonlyargcount]
        more, others = arguments.get("more", ()), arguments.get("others", {})
        given = {n: arguments[n] for n in options} | others
        return partial(self.function, *map(arguments.get, names[:count]), *more, **given)


def deferred(
    name: str, parameters: str, file: str, scope: dict[str, Any], write: Callable[[], tuple[str, dict[str, Any]]]
) -> FunctionType:
    """A function with these globals whose `def` is written, and compiled as part of `file`, at the first call."""
    unfinished = _unfinished(parameters)
    pending = Pending(write)
    constants = tuple([pending if value == "pending" else value for value in unfinished.__code__.co_consts])
    code = unfinished.__code__.replace(co_name=name, co_qualname=name, co_filename=file, co_consts=constants)
    function = pending.function = FunctionType(code, scope, name, unfinished.__defaults__)
    function.__kwdefaults__ = unfinished.__kwdefaults__ and dict(unfinished.__kwdefaults__)
    later(pending.finish)
    return function


@cache
def _unfinished(parameters: str) -> FunctionType:
    scope: dict[str, Any] = {"MISSING": MISSING}
    exec(f"def call({parameters}):\n    pending = 'pending'\n    return pending.finished(locals())()", scope)
    function: FunctionType = scope["call"]
    return function
