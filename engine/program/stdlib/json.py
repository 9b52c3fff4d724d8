"""`json`. Texts are written and read by Python's module, after what they take has been paid for."""

from __future__ import annotations

import json
from typing import Any

from engine.limits import meter
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import as_integer, grow, written
from engine.program.exceptions import class_of
from engine.program.namespace import Namespace
from engine.program.operators import NESTING, inside, weigh
from engine.program.values import Builtin

_DEEPEST = 200


class JSONEncoder:
    """`json.JSONEncoder`: what `default` gives is written in place of what JSON has no word for."""

    __module__ = "json.encoder"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, *, skipkeys: Any = False, ensure_ascii: Any = True, check_circular: Any = True, allow_nan: Any = True,
        sort_keys: Any = False, indent: Any = None, separators: Any = None, default: Any = None,
    ) -> None:  # fmt: skip
        self.skipkeys, self.ensure_ascii, self.check_circular = skipkeys, ensure_ascii, check_circular
        self.allow_nan, self.sort_keys, self.indent = allow_nan, sort_keys, indent
        between: Any = separators or (", " if indent is None else ",", ": ")
        self.item_separator, self.key_separator = between
        if default is not None:
            self.default = default  # type: ignore[method-assign]

    def default(self, o: Any) -> Any:
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o: Any) -> str:
        changed = "default" in self.__dict__ or type(self).default is not JSONEncoder.default
        return _text(
            o, read(self, "default") if changed else None, indent=self.indent, sort_keys=bool(self.sort_keys),
            ensure_ascii=bool(self.ensure_ascii), separators=(self.item_separator, self.key_separator),
            allow_nan=bool(self.allow_nan), skipkeys=bool(self.skipkeys),
        )  # fmt: skip

    def iterencode(self, o: Any) -> Any:
        return iter([self.encode(o)])


class JSONDecoder:
    """`json.JSONDecoder`."""

    __module__ = "json.decoder"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **options: Any) -> None:
        self._options = options

    def decode(self, s: Any) -> Any:
        return _loads(s, **self._options)


for _class in (JSONEncoder, JSONDecoder):
    _class.__qualname__ = _class.__name__


def _dumps(obj: Any, *, cls: Any = None, **options: Any) -> str:
    if cls is None:
        return JSONEncoder(**options).encode(obj)
    text = call(read(call(cls, (), options), "encode"), (obj,), None)
    return text  # type: ignore[no-any-return]


def _text(obj: Any, default: Any, *, indent: Any, separators: Any, **options: Any) -> str:
    if default is not None or isinstance(obj, Namespace):
        obj = _written_out(obj, default, ())
    for separator in separators:
        if not isinstance(separator, str) or len(separator) > 16:
            raise ValueError("separators are texts of no more than 16 characters here")
    if type(obj) in NESTING:
        meter.charge(_weigh(obj) >> (1 if indent is not None else 3))
    elif isinstance(obj, str):
        written(8 * len(obj))
    indent = as_integer(indent)
    if isinstance(indent, int) and indent > 16 or isinstance(indent, str) and len(indent) > 16:
        raise ValueError("indent is limited to 16 here")

    def refuse(value: Any) -> Any:
        if hasattr(type(value), "__mixed__"):  # a member of an enumeration of texts or numbers
            return value.value
        if isinstance(value, Namespace):
            raise _NamespaceInside
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    def dumped(value: Any) -> str:
        return json.dumps(value, indent=indent, default=refuse, separators=separators, **options)

    try:
        text = dumped(obj)
    except _NamespaceInside:
        text = dumped(_written_out(obj, None, ()))
    grow(len(text))
    return text


def _weigh(value: Any) -> int:
    try:
        return weigh(value)
    except RecursionError:
        if _circular(value, set(), set()):
            raise ValueError("Circular reference detected") from None
        raise RecursionError("maximum recursion depth exceeded while encoding a JSON object") from None


def _circular(value: Any, around: set[int], known: set[int]) -> bool:
    """Whether a container contains itself."""
    key = id(value)
    if key in around:
        return True
    if key in known or len(around) > _DEEPEST:
        return False
    meter.charge(1)
    known.add(key)
    around.add(key)
    found = any([_circular(item, around, known) for item in inside(value) if type(item) in NESTING])
    around.discard(key)
    return found


class _NamespaceInside(Exception):  # noqa: N818 - the `__dict__` of an object is among what json writes
    pass


def _written_out(value: Any, default: Any, around: tuple[int, ...]) -> Any:
    """The same of plain containers, with what `default` makes of values that json does not know."""
    meter.charge(1 + (len(around) >> 5))
    if value is None or isinstance(value, str | int | float) or hasattr(type(value), "__mixed__"):
        return value
    if id(value) in around:
        raise ValueError("Circular reference detected")
    if len(around) > _DEEPEST:
        raise RecursionError("maximum recursion depth exceeded while encoding a JSON object")
    around = *around, id(value)
    if isinstance(value, Namespace):
        value = dict(value.items())
    if isinstance(value, dict):
        return {key: _written_out(item, default, around) for key, item in dict.items(value)}
    if isinstance(value, list | tuple):
        return [_written_out(item, default, around) for item in value]
    return value if default is None else _written_out(call(default, [value], None), default, around)


_HOOKS = "object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant"


def _hook(function: Any) -> Any:
    return lambda value: call(function, [value], None)


def _loads(s: Any, **options: Any) -> Any:
    if not isinstance(s, str | bytes):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}")
    meter.check_length(len(s))
    meter.charge(len(s) >> 3)
    hooks = {name: _hook(options[name]) for name in _HOOKS if options.get(name) is not None}
    return json.loads(s, **hooks)


def _dump(obj: Any, fp: Any, **options: Any) -> None:
    call(read(fp, "write"), [_dumps(obj, **options)], None)


def _load(fp: Any, **options: Any) -> Any:
    return _loads(call(read(fp, "read"), [], None), **options)


MODULES: dict[str, dict[str, Any]] = {
    "json": {
        "dumps": Builtin("dumps", _dumps),
        "loads": Builtin("loads", _loads),
        "dump": Builtin("dump", _dump),
        "load": Builtin("load", _load),
        "JSONEncoder": JSONEncoder,
        "JSONDecoder": JSONDecoder,
        "JSONDecodeError": class_of(json.JSONDecodeError),
    }
}
