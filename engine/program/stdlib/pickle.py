"""`pickle`, in memory: an object that is put away comes back as a copy; no bytes of strangers are ever read.

What numbers and texts in lists and dicts become are Python's own bytes. Of anything else the bytes are a mark, good for
this run only.
"""

from __future__ import annotations

import pickle
from typing import Any

from engine.program import session as sessions
from engine.program.charges import written
from engine.program.exceptions import host_exception
from engine.program.operators import NESTING, weigh
from engine.program.stdlib.copy import check, putting_away
from engine.program.stdlib.io import PICKLE_ERROR, PICKLING_ERROR, UNPICKLING_ERROR, keep, kept_in, put_away
from engine.program.values import Builtin

_PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None)})
_NESTING = frozenset({list, tuple, dict})
_KEPT = "pickle", "kept"
_SHOWN = 1000


def _is_plain(value: Any, depth: int = 0) -> bool:
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind not in _NESTING or depth > 20 or len(value) > _SHOWN:
        return False
    members = [*value, *value.values()] if kind is dict else value
    return all(_is_plain(member, depth + 1) for member in members)


def _dumps(obj: Any, protocol: Any = None, **options: Any) -> bytes:
    check(obj)
    size = weigh(obj) if type(obj) in NESTING else len(obj) >> 4 if isinstance(obj, str | bytes) else 1
    kept: Any = sessions.active.settings.setdefault(_KEPT, {})
    if size < _SHOWN and _is_plain(obj):
        found = pickle.dumps(obj, protocol if isinstance(protocol, int) else None)
    else:
        found = b"\x80\x04" + f"Backlight keeps this object for the run: {len(kept)}".encode() + b"."
    written(8 * len(found))
    with putting_away():
        kept[found] = put_away(obj, {})
    return found


def _loads(data: Any, **options: Any) -> Any:
    if not isinstance(data, bytes):
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
    kept: Any = sessions.active.settings.get(_KEPT, {})
    if data not in kept:
        raise host_exception(UNPICKLING_ERROR("only what pickle.dumps gave in this run can be loaded here"))
    sessions.active.epoch[0] += 1
    return put_away(kept[data], {})


def _load(file: Any, **options: Any) -> Any:
    sessions.active.epoch[0] += 1
    return put_away(kept_in(file), {})


MODULES: dict[str, dict[str, Any]] = {
    "pickle": {
        "dumps": Builtin("dumps", _dumps),
        "loads": Builtin("loads", _loads),
        "dump": Builtin("dump", lambda obj, file, protocol=None, **options: keep(obj, file)),
        "load": Builtin("load", _load),
        "HIGHEST_PROTOCOL": pickle.HIGHEST_PROTOCOL,
        "DEFAULT_PROTOCOL": pickle.DEFAULT_PROTOCOL,
        "PickleError": PICKLE_ERROR,
        "PicklingError": PICKLING_ERROR,
        "UnpicklingError": UNPICKLING_ERROR,
    }
}
