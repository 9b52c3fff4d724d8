"""`pprint`."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.attributes import read
from engine.program.calls import call, keep
from engine.program.charges import grow
from engine.program.hashing import arranged, identity
from engine.program.operators import NESTING, weigh
from engine.program.text import represent
from engine.program.values import Builtin


def _pformat(
    object: Any, indent: int = 1, width: int = 80, depth: Any = None, *, compact: Any = False, sort_dicts: Any = True,
    underscore_numbers: Any = False,
) -> str:  # fmt: skip
    if type(object) in NESTING:
        meter.charge(weigh(object))
    if indent > 16 or width > 1000:
        raise ValueError("indent is limited to 16 and width to 1000 here")
    meter.charge(len(represent(object)) >> 1)
    text: str = _printing.pformat(
        object, indent, width, depth, compact=bool(compact), sort_dicts=bool(sort_dicts),
        underscore_numbers=bool(underscore_numbers),
    )  # fmt: skip
    grow(len(text))
    return text


def _pprint(object: Any, stream: Any = None, *args: Any, **options: Any) -> None:
    text = _pformat(object, *args, **options) + "\n"
    if stream is None:
        sessions.active.write(text)
    else:
        call(read(stream, "write"), (text,), None)


def _pp(object: Any, *args: Any, sort_dicts: Any = False, **options: Any) -> None:
    _pprint(object, *args, sort_dicts=sort_dicts, **options)


class PrettyPrinter:
    """`pprint.PrettyPrinter`: options that are kept for many values."""

    __module__ = "pprint"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, indent: Any = 1, width: Any = 80, depth: Any = None, stream: Any = None, **options: Any
    ) -> None:
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if not width:
            raise ValueError("width must be != 0")
        self._stream, self._options = stream, {"indent": indent, "width": width, "depth": depth, **options}

    def pformat(self, object: Any) -> str:
        return _pformat(object, **self._options)

    def pprint(self, object: Any) -> None:
        _pprint(object, self._stream, **self._options)


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
keep(PrettyPrinter)

MODULES: dict[str, dict[str, Any]] = {
    "pprint": {
        "pprint": Builtin("pprint", _pprint),
        "pp": Builtin("pp", _pp),
        "pformat": Builtin("pformat", _pformat),
        "saferepr": Builtin("saferepr", represent),
        "PrettyPrinter": PrettyPrinter,
    }
}
