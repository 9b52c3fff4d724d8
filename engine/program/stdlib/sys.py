"""What programs touch of the interpreter, harmless: `sys`, `gc`; and `string`, `textwrap`, `pprint`."""

from __future__ import annotations

import re
import string
import textwrap
from importlib.util import find_spec, module_from_spec
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import grow
from engine.program.exceptions import EXCEPTIONS, host_exception, traceback_of
from engine.program.hashing import arranged, identity
from engine.program.items import subscript
from engine.program.operators import NESTING, contains, weigh
from engine.program.text import represent, to_text
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


def _pformat(object: Any, indent: int = 1, width: int = 80, depth: Any = None, **options: Any) -> str:
    if type(object) in NESTING:
        meter.charge(weigh(object))
    if indent > 16 or width > 1000:
        raise ValueError("indent is limited to 16 and width to 1000 here")
    meter.charge(len(represent(object)) >> 1)
    text: str = _printing.pformat(object, indent, width, depth, compact=bool(options.get("compact")))
    grow(len(text))
    return text


def _pprint(object: Any, stream: Any = None, *args: Any, **options: Any) -> None:
    sessions.active.write(_pformat(object, *args, **options) + "\n")


def _own_pprint() -> Any:
    """Python's module for this interpreter: it sorts by identities of the session where Python does by addresses."""
    spec = find_spec("pprint")
    assert spec is not None and spec.loader is not None
    made: Any = module_from_spec(spec)
    spec.loader.exec_module(made)
    made.id, made.repr = identity, represent
    made.sorted = lambda values, key: sorted(arranged(values), key=key)
    return made


_printing = _own_pprint()
_WRAPPED = 20_000


def _wrapping(name: str) -> Any:
    native = getattr(textwrap, name)

    def run(text: str, *args: Any, **options: Any) -> Any:
        if not isinstance(text, str):
            raise TypeError(f"{name}() argument must be str, not {type(text).__name__}")
        if not all(isinstance(value, str | int) for value in (*args, *options.values())):
            raise TypeError(f"{name}() takes texts and numbers here")
        if len(text) > _WRAPPED or options.get("tabsize", 8) > 16:
            raise ValueError(f"{name}() is limited to {_WRAPPED} characters and tabs of 16 here")
        added = sum(len(value) for value in (*args, *options.values()) if isinstance(value, str))
        grow(len(text) * 4 + len(text) * added)
        meter.charge(len(text) >> 1)
        return native(text, *args, **options)

    return run


_PLACEHOLDER = re.compile(
    r"\$(?:(?P<escaped>\$)|(?P<named>[_a-z][_a-z0-9]*)|\{(?P<braced>[_a-z][_a-z0-9]*)\}|(?P<invalid>))",
    re.ASCII | re.IGNORECASE,
)


class Template:
    """`string.Template`: text with `$names`."""

    __module__ = "string"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, template: Any) -> None:
        if not isinstance(template, str):
            raise TypeError(f"a template is a text here, not '{type(template).__name__}'")
        self.template = template

    def substitute(self, mapping: Any = None, /, **kws: Any) -> str:
        return self._filled({} if mapping is None else mapping, kws, False)

    def safe_substitute(self, mapping: Any = None, /, **kws: Any) -> str:
        return self._filled({} if mapping is None else mapping, kws, True)

    def _filled(self, mapping: Any, named: dict[str, Any], safe: bool) -> str:
        text = str(self.template)
        meter.charge(1 + (len(text) >> 3))
        parts, end = [], 0
        for found in _PLACEHOLDER.finditer(text):
            parts.append(text[end : found.start()])
            end = found.end()
            name = found["named"] or found["braced"]
            if found["escaped"]:
                parts.append("$")
            elif name is not None and (not safe or name in named or contains(mapping, name)):
                parts.append(to_text(named[name] if name in named else subscript(mapping, name)))
            elif safe:
                parts.append(found[0])
            else:
                before = text[: found.start("invalid")].splitlines(keepends=True)
                raise ValueError(f"Invalid placeholder in string: line {len(before)}, col {len(before[-1])}")
        parts.append(text[end:])
        grow(sum(map(len, parts)))
        return "".join(parts)


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
        "version_info": (3, 11, 0, "final", 0),
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
    "string": {
        "Template": Template,
        **{
            name: getattr(string, name)
            for name in "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation"
            " whitespace".split()
        },
    },
    "textwrap": {name: Builtin(name, _wrapping(name)) for name in ("dedent", "fill", "indent", "shorten", "wrap")},
    "pprint": {
        "pprint": Builtin("pprint", _pprint),
        "pformat": Builtin("pformat", _pformat),
    },
    "__future__": {
        name: True for name in ("annotations", "division", "print_function", "absolute_import", "unicode_literals")
    },
}
