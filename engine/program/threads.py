"""Threads, timers and event loops without threads of the machine: each thread does its work when it is started, and a
timer when somebody waits for it to be due, or the program ends."""

from __future__ import annotations

import _thread
import _threading_local
import queue
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures.thread import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from engine.core.grad_mode import of_new_thread
from engine.limits import LimitExceeded
from engine.program.machine import PID

_ENDLESS = "this waits for another thread, and each has done its work when it was started"


class WaitsForEver(RuntimeError):
    """Nobody is left to end this wait."""


WaitsForEver.__name__ = WaitsForEver.__qualname__ = "RuntimeError"
WaitsForEver.__module__ = "builtins"


class Waiting:
    """Time that passes while somebody waits: `elapsed` is added to by `advance`.

    `running` are the threads whose work is under way, the innermost last.
    """

    def __init__(self, elapsed: Callable[[], float], advance: Callable[[float], None]) -> None:
        self.elapsed, self._advance = elapsed, advance
        self.running: list[int] = []
        self._started = 0
        self._timers: list[tuple[float, threading.Timer]] = []

    def wait(self, seconds: float | None) -> None:
        """Wait for what another thread does, in vain but for timers. Raises WaitsForEver."""
        if seconds is None:
            if not self._timers:
                raise WaitsForEver(_ENDLESS)
            seconds = max(0.0, min(due for due, _ in self._timers) - self.elapsed())
        end = self.elapsed() + max(seconds, 0.0)
        self._run_timers(end)
        self._advance(max(0.0, end - self.elapsed()))

    def _wait_on(self, condition: Any, timeout: float | None) -> bool:
        """`threading.Condition.wait`."""
        if not condition._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = threading.Lock()
        waiter.acquire()
        condition._waiters.append(waiter)
        saved = condition._release_save()
        try:
            self.wait(timeout)
        finally:
            condition._acquire_restore(saved)
            if waiter.locked():
                condition._waiters.remove(waiter)
        return not waiter.locked()

    def end(self) -> None:
        """The program ends when its timers have."""
        while self._timers:
            self._run_timers(max(due for due, _ in self._timers))

    def _run_timers(self, end: float) -> None:
        """Run what is due by then, in its order."""
        while due := [each for each in self._timers if each[0] <= end]:
            when, timer = min(due, key=lambda each: each[0])
            self._timers.remove((when, timer))
            self._advance(max(0.0, when - self.elapsed()))
            if not timer.finished.is_set():
                self._run(timer)

    def _number(self) -> int:
        """That of the thread that runs."""
        return self.running[-1] if self.running else PID

    def start(self, thread: threading.Thread) -> None:
        if getattr(thread, "_begun", False):
            raise RuntimeError("threads can only be started once")
        thread._begun = True  # type: ignore[attr-defined]
        if type(thread).run is threading.Timer.run:
            assert isinstance(thread, threading.Timer)
            self._timers.append((self.elapsed() + thread.interval, thread))
            thread.interval = 0
        else:
            self._run(thread)

    def _run(self, thread: Any) -> None:
        """Do the work of a thread, as the thread."""
        self._started += 1
        ident = thread._ident = thread._native_id = self._started
        threading._active[ident] = thread  # type: ignore[attr-defined]
        self.running.append(ident)
        try:
            with of_new_thread():
                thread.run()
        except (LimitExceeded, WaitsForEver):
            raise
        except BaseException:
            thread._invoke_excepthook(thread)
        finally:
            self.running.pop()
            del threading._active[ident]  # type: ignore[attr-defined]

    def join(self, thread: threading.Thread, timeout: float | None = None) -> None:
        if not getattr(thread, "_begun", False):
            raise RuntimeError("cannot join thread before it is started")
        for due, timer in self._timers:
            if timer is thread:
                self.wait(max(0.0, due - self.elapsed()) if timeout is None else timeout)
                return

    def lives(self, thread: threading.Thread) -> bool:
        return thread.ident in self.running or any(timer is thread for _, timer in self._timers)

    def replaced(self) -> Iterator[tuple[Any, str, Any]]:
        """What Python's modules have instead of their own."""
        waiting, main = self, threading.current_thread()

        class Lock:
            """`threading.Lock`, for which nobody waits in vain unnoticed."""

            def __init__(self) -> None:
                self._held = False

            def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
                if self._held and blocking:
                    waiting.wait(None if timeout < 0 else timeout)
                taken = not self._held
                if not taken and blocking and timeout < 0:
                    raise WaitsForEver(_ENDLESS)
                self._held = True
                return taken

            def release(self) -> None:
                if not self._held:
                    raise RuntimeError("release unlocked lock")
                self._held = False

            def locked(self) -> bool:
                return self._held

            def _at_fork_reinit(self) -> None:
                self._held = False

            def __enter__(self) -> bool:
                return self.acquire()

            def __exit__(self, *error: object) -> None:
                self.release()

        Lock.__name__, Lock.__qualname__, Lock.__module__ = "lock", "lock", "_thread"
        yield threading.Thread, "start", lambda thread: self.start(thread)
        yield threading.Thread, "join", lambda thread, timeout=None: self.join(thread, timeout)
        yield threading.Thread, "is_alive", lambda thread: self.lives(thread)
        yield threading.Condition, "wait", lambda condition, timeout=None: self._wait_on(condition, timeout)
        yield threading, "_time", self.elapsed
        for owner in (threading, _thread):
            yield owner, "get_ident", lambda: self._number()
            yield owner, "get_native_id", lambda: self._number()
        yield sys, "_current_frames", lambda: {self._number(): sys._getframe(1)}
        yield threading, "_active", {PID: main}
        yield main, "_ident", PID
        yield main, "_native_id", PID
        yield threading, "local", _threading_local.local
        yield threading, "Lock", Lock
        yield queue, "time", self.elapsed
        yield ThreadPoolExecutor, "submit", _submit


def _submit(self: futures.Executor, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> futures.Future[Any]:
    if self._shutdown:  # type: ignore[attr-defined]
        raise RuntimeError("cannot schedule new futures after shutdown")
    made: futures.Future[Any] = futures.Future()
    try:
        with of_new_thread():
            made.set_result(fn(*args, **kwargs))
    except (LimitExceeded, WaitsForEver):
        raise
    except BaseException as error:
        made.set_exception(error)
    return made


def prepare_loops(waiting: Waiting) -> None:
    """Have asyncio, which is imported, make loops that need no socket and wait in no time."""
    asyncio: Any = sys.modules["asyncio"]

    class Selector:
        def select(self, timeout: float | None) -> list[Any]:
            if timeout != 0:
                waiting.wait(timeout)
            return []

    class Loop(asyncio.base_events.BaseEventLoop):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._selector = Selector()

        def _process_events(self, events: list[Any]) -> None:
            """None come from outside."""

        def _write_to_self(self) -> None:
            """Whoever would be woken is not waiting."""

    with _deprecated():
        policy = asyncio.DefaultEventLoopPolicy()
        policy._loop_factory = Loop
        asyncio.set_event_loop_policy(policy)


def forget_loops() -> None:
    """The program has ended."""
    if "asyncio" in sys.modules:
        with _deprecated():
            sys.modules["asyncio"].set_event_loop_policy(None)


@contextmanager
def _deprecated() -> Iterator[None]:
    """Policies of loops are from Python 3.14 on, which is to be no warning of the program's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
