"""What programs touch of the interpreter, harmless: `sys` and `gc`."""

from __future__ import annotations

import sys
from types import MethodType
from typing import Any

from engine.core.tensor import Tensor
from engine.program import session as sessions
from engine.program.exceptions import EXCEPTIONS, host_exception, traceback_of
from engine.program.operators import items
from engine.program.stdlib.collections import make_namedtuple
from engine.program.values import UNSET, Builtin, Function, Module


def _write(text: str) -> int:
    if not isinstance(text, str):
        raise TypeError(f"write() argument must be str, not {type(text).__name__}")
    sessions.active.write(text)
    return len(text)


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def _exc_info() -> tuple[Any, Any, Any]:
    handling = sessions.active.handling
    return (type(handling[-1]), handling[-1], traceback_of(handling[-1])) if handling else (None, None, None)


def _exit(*args: Any) -> None:
    raise host_exception(EXCEPTIONS["SystemExit"](*args))


def _writelines(write: Any) -> Any:
    def write_all(lines: Any) -> None:
        for line in items(lines):
            write(line)

    return write_all


def _stream(name: str, write: Any) -> Module:
    functions = {"write": write, "flush": _nothing, "isatty": lambda: False, "writable": lambda: True}
    return Module.of(
        name,
        {
            **{key: Builtin(key, function) for key, function in functions.items()},
            "writelines": Builtin("writelines", _writelines(write)), "encoding": "utf-8", "name": f"<{name[4:]}>",
        },
    )  # fmt: skip


_MEASURED = frozenset(
    {int, float, complex, bool, type(None), str, bytes, tuple, list, dict, set, frozenset, range, type(...), slice}
)
_SIZES: dict[Any, int] = {Function: 152, Builtin: 72, Module: 72, MethodType: 64}


def _getsizeof(object: Any, default: Any = UNSET) -> int:
    """The bytes of a value as CPython has it, without what it refers to."""
    kind = type(object)
    if kind in _MEASURED:
        return sys.getsizeof(object)
    if isinstance(object, Tensor):
        return 80
    return _SIZES.get(kind, 1688 if isinstance(object, type) else 56)


def _described(name: str, fields: dict[str, Any]) -> Any:
    """What `sys` says in a tuple with names."""
    kind = make_namedtuple(name, list(fields), {}, {"__repr__": _shown, "__deepcopy__": _itself})
    kind.__name__, kind.__module__ = f"sys.{name}", "sys"
    return kind(*fields.values())


def _itself(self: Any, memo: Any) -> Any:
    return self


def _shown(self: Any) -> str:
    inside = ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)])
    return f"{type(self).__name__}({inside})"


def _known(info: Any) -> dict[str, Any]:
    """The numbers of one of Python's own descriptions."""
    return {name: getattr(info, name) for name in info.__match_args__}


_VERSION = _described("version_info", {"major": 3, "minor": 11, "micro": 0, "releaselevel": "final", "serial": 0})


MODULES: dict[str, dict[str, Any]] = {
    "sys": {
        "stdout": _stream("sys.stdout", _write),
        "stderr": _stream("sys.stderr", lambda text: len(text)),
        "argv": ["program.py"],
        "path": ["/home/user", "/usr/lib/python3.11"],
        "modules": {},
        "executable": "/usr/bin/python3",
        "byteorder": "little",
        "exc_info": Builtin("exc_info", _exc_info),
        "getrefcount": Builtin("getrefcount", lambda value: 2),
        "getdefaultencoding": Builtin("getdefaultencoding", lambda: "utf-8"),
        "version": "3.11.0 (Backlight)",
        "version_info": _VERSION,
        "hexversion": 0x030B00F0,
        "api_version": 1013,
        "maxunicode": 0x10FFFF,
        "implementation": Module.of(
            "sys.implementation", {"name": "cpython", "cache_tag": "cpython-311", "version": _VERSION}
        ),
        "platform": "linux",
        "maxsize": 9223372036854775807,
        "float_info": _described("float_info", _known(sys.float_info)),
        "intern": Builtin("intern", lambda string, /: string),
        "exit": Builtin("exit", _exit),
        "setrecursionlimit": Builtin("setrecursionlimit", _nothing),
        "getrecursionlimit": Builtin("getrecursionlimit", lambda: sessions.active.limits.recursion),
        "getsizeof": Builtin("getsizeof", _getsizeof),
    },
    "gc": {
        "collect": Builtin("collect", lambda *args: 0),
        "disable": Builtin("disable", _nothing),
        "enable": Builtin("enable", _nothing),
        "isenabled": Builtin("isenabled", lambda: True),
        "get_count": Builtin("get_count", lambda: (0, 0, 0)),
        "get_threshold": Builtin("get_threshold", lambda: (700, 10, 10)),
        "freeze": Builtin("freeze", _nothing),
    },
    "__future__": {
        name: True for name in ("annotations", "division", "print_function", "absolute_import", "unicode_literals")
    },
}
