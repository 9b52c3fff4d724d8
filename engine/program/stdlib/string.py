"""`string` and `textwrap`."""

from __future__ import annotations

import re
import string
import textwrap
from typing import Any

from engine.limits import meter
from engine.program.calls import host_callable
from engine.program.charges import grow, written
from engine.program.items import subscript
from engine.program.operators import contains, items
from engine.program.str_format import format_method
from engine.program.text import to_text
from engine.program.values import Builtin

_WRAPPED = 20_000


def _wrapping(name: str) -> Any:
    native = getattr(textwrap, name)

    def run(text: str, *args: Any, **options: Any) -> Any:
        if not isinstance(text, str):
            raise TypeError(f"{name}() argument must be str, not {type(text).__name__}")
        predicate = args[1] if name == "indent" and len(args) > 1 else options.get("predicate")
        if predicate is not None:
            meter.charge(text.count("\n"))
            args, options = args[:1], {**options, "predicate": host_callable(predicate)}
        others = [value for key, value in options.items() if key != "predicate"]
        if not all(isinstance(value, str | int | None) for value in (*args, *others)):
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


class TextWrapper:
    """`textwrap.TextWrapper`: options that are kept for many texts."""

    __module__ = "textwrap"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, width: Any = 70, **options: Any) -> None:
        self.width = width
        self._options = options

    def wrap(self, text: Any) -> list[str]:
        return _wrap(text, width=self.width, **self._options)  # type: ignore[no-any-return]

    def fill(self, text: Any) -> str:
        return "\n".join(self.wrap(text))


_wrap = _wrapping("wrap")


class Formatter:
    """`string.Formatter`."""

    __module__ = "string"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def format(self, format_string: Any, /, *args: Any, **kwargs: Any) -> str:
        return format_method(format_string, args, kwargs)

    def vformat(self, format_string: Any, args: Any, kwargs: Any) -> str:
        return format_method(format_string, tuple(items(args)), kwargs)


def _capwords(s: str, sep: str | None = None) -> str:
    grow(len(s))
    written(8 * len(s))
    return string.capwords(s, sep)


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


_CONSTANTS = (
    "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation whitespace"
)

MODULES: dict[str, dict[str, Any]] = {
    "string": {
        **{name: getattr(string, name) for name in _CONSTANTS.split()},
        "capwords": Builtin("capwords", _capwords),
        "Formatter": Formatter,
        "Template": Template,
    },
    "textwrap": {
        **{name: Builtin(name, _wrapping(name)) for name in ("dedent", "fill", "indent", "shorten", "wrap")},
        "TextWrapper": TextWrapper,
    },
}
