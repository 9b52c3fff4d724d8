"""`contextlib`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.exceptions import ExceptionValue, end_if_machines, host_exception
from engine.program.handling import enter, leave, matches
from engine.program.values import Builtin, Function, HostMethod, class_of_value


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

        return HostMethod(getattr(function, "__name__", "function"), run)


GeneratorContext.__name__ = GeneratorContext.__qualname__ = "_GeneratorContextManager"


def _contextmanager(function: Any) -> Builtin:
    return HostMethod(
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


class Closing:
    """`contextlib.closing`."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, thing: Any) -> None:
        self._thing = thing

    def __enter__(self) -> Any:
        return self._thing

    def __exit__(self, *exception: object) -> None:
        call(read(self._thing, "close"), (), None)


Closing.__name__ = Closing.__qualname__ = "closing"


class RedirectStdout:
    """`contextlib.redirect_stdout`: what is printed inside goes to another stream."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, new_target: Any) -> None:
        self._target = new_target

    def __enter__(self) -> Any:
        write = read(self._target, "write")
        sessions.active.redirected.append(lambda text: call(write, (text,), None))
        return self._target

    def __exit__(self, *exception: object) -> None:
        sessions.active.redirected.pop()


RedirectStdout.__name__ = RedirectStdout.__qualname__ = "redirect_stdout"


class RedirectStderr(NullContext):
    """`contextlib.redirect_stderr`: nothing of a program is written there."""

    __module__ = "contextlib"
    __program__ = True


RedirectStderr.__name__ = RedirectStderr.__qualname__ = "redirect_stderr"


class ExitStack:
    """`contextlib.ExitStack`: contexts and calls that are left and made in reverse order."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        self._leaves: list[Callable[[BaseException | None], bool]] = []

    def enter_context(self, cm: Any) -> Any:
        value = enter(cm)
        self._leaves.append(lambda exception: leave(cm, exception))
        return value

    def callback(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        def leave(exception: BaseException | None) -> bool:
            call(callback, args, kwargs or None)
            return False

        self._leaves.append(leave)
        return callback

    def push(self, exit: Any) -> Any:
        """Leave a context that was entered elsewhere, or call `exit(type, value, traceback)`."""
        if hasattr(type(exit), "__exit__"):
            self._leaves.append(lambda exception: leave(exit, exception))
            return exit

        def left(exception: BaseException | None) -> bool:
            value = None if exception is None else value_of(exception)
            return bool(call(exit, (None if value is None else class_of_value(value), value, None), None))

        self._leaves.append(left)
        return exit

    def close(self) -> None:
        self.__exit__(None, None, None)

    def pop_all(self) -> ExitStack:
        moved = ExitStack()
        moved._leaves, self._leaves = self._leaves, []
        return moved

    def __enter__(self) -> ExitStack:
        return self

    def __exit__(self, kind: Any, exception: Any, trace: Any) -> bool:
        pending = host_exception(exception) if isinstance(exception, ExceptionValue) else exception
        given = pending
        while self._leaves:
            try:
                if self._leaves.pop()(pending):
                    pending = None
            except Exception as raised:
                end_if_machines(raised)
                pending = raised
        if pending is not None and pending is not given:
            raise pending
        return given is not None and pending is None


class AbstractContextManager:
    """`contextlib.AbstractContextManager`: enters with itself."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__: tuple[str, ...] = ("__exit__",)

    def __enter__(self) -> Any:
        return self


class ContextDecorator:
    """`contextlib.ContextDecorator`: a context manager that decorates functions, which then run inside it."""

    __module__ = "contextlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __call__(self, function: Any) -> HostMethod:
        def run(*args: Any, **kwargs: Any) -> Any:
            enter(self)
            try:
                result = call(function, args, kwargs or None)
            except Exception as raised:
                if leave(self, raised):
                    return None
                raise
            leave(self, None)
            return result

        return HostMethod(getattr(function, "__name__", "function"), run)


MODULES: dict[str, dict[str, Any]] = {
    "contextlib": {
        "contextmanager": Builtin("contextmanager", _contextmanager),
        "suppress": Suppress,
        "nullcontext": NullContext,
        "closing": Closing,
        "redirect_stdout": RedirectStdout,
        "redirect_stderr": RedirectStderr,
        "ExitStack": ExitStack,
        "AbstractContextManager": AbstractContextManager,
        "ContextDecorator": ContextDecorator,
    }
}
