"""`contextlib`."""

from __future__ import annotations

from typing import Any

from engine.program.calls import call
from engine.program.exceptions import ExceptionValue, host_exception, value_of
from engine.program.values import Builtin, Function


class GeneratorContext:
    """A generator with one `yield`, as a context manager or a decorator."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._again = (function, args, kwargs)
        self._generator: Any = None

    def __enter__(self) -> Any:
        function, args, kwargs = self._again
        self._generator = call(function, args, kwargs or None)
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind: Any, exception: Any, trace: Any) -> bool:
        if exception is None:
            try:
                next(self._generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        thrown = host_exception(exception) if isinstance(exception, ExceptionValue) else exception
        try:
            self._generator.throw(thrown)
        except StopIteration:
            return True
        except Exception as raised:
            if value_of(raised) is value_of(thrown):
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, function: Any) -> Builtin:
        def run(*args: Any, **kwargs: Any) -> Any:
            with GeneratorContext(*self._again):
                return call(function, args, kwargs or None)

        return Builtin(getattr(function, "__name__", "function"), run)


GeneratorContext.__name__ = GeneratorContext.__qualname__ = "_GeneratorContextManager"


def _contextmanager(function: Any) -> Builtin:
    return Builtin(
        function.name if isinstance(function, Function) else "contextmanager",
        lambda *args, **kwargs: GeneratorContext(function, args, kwargs),
    )


class Suppress:
    """`contextlib.suppress`."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *kinds: Any) -> None:
        self._kinds = kinds

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, exception: Any, trace: Any) -> bool:
        from engine.program.compiler.control import matches

        if exception is None:
            return False
        value = exception if isinstance(exception, ExceptionValue) else value_of(exception)
        return matches(value, self._kinds)


Suppress.__name__ = Suppress.__qualname__ = "suppress"


class NullContext:
    """`contextlib.nullcontext`."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, enter_result: Any = None) -> None:
        self._result = enter_result

    def __enter__(self) -> Any:
        return self._result

    def __exit__(self, *exception: object) -> None:
        return None


NullContext.__name__ = NullContext.__qualname__ = "nullcontext"

MODULES: dict[str, dict[str, Any]] = {
    "contextlib": {
        "contextmanager": Builtin("contextmanager", _contextmanager),
        "suppress": Suppress,
        "nullcontext": NullContext,
    }
}
