"""What programs touch of the interpreter, harmless: `sys` and `gc`."""

from __future__ import annotations

from typing import Any

from engine.program import session as sessions
from engine.program.exceptions import EXCEPTIONS, host_exception, traceback_of
from engine.program.stdlib.collections import make_namedtuple
from engine.program.values import Builtin, Module


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


def _stream(name: str, write: Any) -> Module:
    return Module.of(name, {"write": Builtin("write", write), "flush": Builtin("flush", _nothing)})


_VERSION_INFO: Any = make_namedtuple("version_info", "major minor micro releaselevel serial".split(), {})
_VERSION_INFO.__name__, _VERSION_INFO.__module__ = "sys.version_info", "sys"
_VERSION_INFO.__deepcopy__ = lambda self, memo: self


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
        "version_info": _VERSION_INFO(3, 11, 0, "final", 0),
        "platform": "linux",
        "maxsize": 9223372036854775807,
        "float_info": Module.of(
            "sys.float_info",
            {"epsilon": 2.220446049250313e-16, "max": 1.7976931348623157e308, "min": 2.2250738585072014e-308},
        ),
        "exit": Builtin("exit", _exit),
        "setrecursionlimit": Builtin("setrecursionlimit", _nothing),
        "getrecursionlimit": Builtin("getrecursionlimit", lambda: sessions.active.limits.recursion),
        "getsizeof": Builtin("getsizeof", lambda value, *default: 64),
    },
    "gc": {
        "collect": Builtin("collect", lambda *args: 0),
        "disable": Builtin("disable", _nothing),
        "enable": Builtin("enable", _nothing),
    },
    "__future__": {
        name: True for name in ("annotations", "division", "print_function", "absolute_import", "unicode_literals")
    },
}
