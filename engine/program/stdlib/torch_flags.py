"""`torch.backends.cudnn.flags`: settings of a library that is not here, in force while a block runs."""

from __future__ import annotations

from typing import Any

from engine.program import session as sessions
from engine.program.calls import call
from engine.program.values import UNSET, Builtin, HostMethod


class _Flags:
    """Sets names of a module that programs can change, and puts back what they were."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, module: str, values: dict[str, Any]) -> None:
        self._values = {(module, name): value for name, value in values.items()}

    def __enter__(self) -> None:
        settings = sessions.active.settings
        self._before = {key: settings.get(key, UNSET) for key in self._values}
        settings.update(self._values)

    def __exit__(self, *exception: object) -> None:
        settings = sessions.active.settings
        for key, value in self._before.items():
            if value is UNSET:
                del settings[key]
            else:
                settings[key] = value

    def __call__(self, function: Any) -> Builtin:
        def run(*args: Any, **kwargs: Any) -> Any:
            with self:
                return call(function, args, kwargs or None)

        return HostMethod(getattr(function, "__name__", "function"), run)


_Flags.__name__ = _Flags.__qualname__ = "_GeneratorContextManager"


def _cudnn(
    enabled: Any = False,
    benchmark: Any = False,
    benchmark_limit: Any = 10,
    deterministic: Any = False,
    allow_tf32: Any = True,
    fp32_precision: Any = "none",
) -> _Flags:
    values = dict(enabled=enabled, benchmark=benchmark, deterministic=deterministic, allow_tf32=allow_tf32)
    return _Flags("torch.backends.cudnn", values)


FLAGS: dict[str, Any] = {"torch.backends.cudnn.flags": Builtin("flags", _cudnn)}
