"""`threading`, `multiprocessing` and what `torch.distributed` answers to one process alone.

A thread here does its work when it is started, before its starter goes on: one of the orders there could be.
"""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.grad_mode import of_new_thread
from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.bridge import ONLY_IN_PROGRAMS
from engine.program.calls import call, keep
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.hashing import note_all
from engine.program.operators import items
from engine.program.stdlib import find
from engine.program.stdlib.collections import make_namedtuple
from engine.program.text import to_text
from engine.program.values import Builtin, Module, fake_address


class Thread:
    """`threading.Thread`."""

    __module__ = "threading"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, group: Any = None, target: Any = None, name: Any = None, args: Any = (), kwargs: Any = None, *,
        daemon: Any = None,
    ) -> None:  # fmt: skip
        self.name, self.daemon = "Thread-1" if name is None else name, bool(daemon)
        self._target, self._args, self._kwargs = target, items(args), kwargs
        self._started = False

    def run(self) -> None:
        if self._target is not None:
            call(self._target, self._args, self._kwargs)

    def start(self) -> None:
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started = True
        if getattr(self, "_cancelled", False):
            return
        try:
            with of_new_thread():
                call(self.run, (), None)
        except Exception as error:
            value = value_of(error)
            sessions.active.notice(f"Exception in thread {self.name}: {type(value).__name__}: {to_text(value)}")

    def join(self, timeout: Any = None) -> None:
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self) -> bool:
        return False


class Lock:
    """`threading.Lock`: nobody else ever holds it."""

    __module__ = "_thread"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    _held = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        self._held += 1
        return True

    def release(self) -> None:
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held -= 1

    def locked(self) -> bool:
        return self._held > 0

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *exception: object) -> None:
        self.release()


class Local:
    """`threading.local`."""

    __module__ = "_thread"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()


class Event:
    """`threading.Event`. Who waits for what nobody sets would wait for ever."""

    __module__ = "threading"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    _flag = False

    def set(self) -> None:
        self._flag = True

    def clear(self) -> None:
        self._flag = False

    def is_set(self) -> bool:
        return self._flag

    def wait(self, timeout: Any = None) -> bool:
        if not self._flag and timeout is None:
            raise RuntimeError("wait() would wait for ever here: a thread does its work when it is started")
        return self._flag


class Semaphore:
    """`threading.Semaphore`."""

    __module__ = "threading"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking: bool = True, timeout: Any = None) -> bool:
        if self._value > 0:
            self._value -= 1
            return True
        if blocking and timeout is None:
            raise RuntimeError("acquire() would wait for ever here: a thread does its work when it is started")
        return False

    def release(self, n: int = 1) -> None:
        self._value += n

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *exception: object) -> None:
        self.release()


class Timer(Thread):
    """`threading.Timer`: time passes at once here."""

    __module__ = "threading"
    __program__ = True

    def __init__(self, interval: Any, function: Any, args: Any = None, kwargs: Any = None) -> None:
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True


class Future:
    """`concurrent.futures.Future`: what a function has given, or raised, by now."""

    __module__ = "concurrent.futures._base"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        self._result: Any = None
        self._error: Any = None

    def _run(self, function: Any, args: Any, kwargs: Any) -> None:
        try:
            with of_new_thread():
                self._result = call(function, args, kwargs)
        except Exception as error:
            self._error = value_of(error)

    def result(self, timeout: Any = None) -> Any:
        if self._error is not None:
            raise host_exception(self._error)
        return self._result

    def exception(self, timeout: Any = None) -> Any:
        return self._error

    def done(self) -> bool:
        return True

    def running(self) -> bool:
        return False

    cancel = cancelled = running

    def add_done_callback(self, fn: Any) -> None:
        call(fn, (self,), None)

    def __repr__(self) -> str:
        what = "returned" if self._error is None else "raised"
        kind = type(self._result if self._error is None else self._error).__name__
        return f"<Future at {fake_address(self)} state=finished {what} {kind}>"


class ThreadPoolExecutor:
    """`concurrent.futures.ThreadPoolExecutor`: does its work when it is given it."""

    __module__ = "concurrent.futures.thread"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, max_workers: Any = None, thread_name_prefix: str = "", initializer: Any = None, initargs: Any = ()
    ) -> None:
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._initializer, self._initargs, self._closed = initializer, items(initargs), False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future:
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self._initializer is not None:
            call(self._initializer, self._initargs, None)
            self._initializer = None
        made = Future()
        made._run(fn, args, kwargs or None)
        return made

    def map(self, func: Any, *iterables: Any, timeout: Any = None, chunksize: int = 1) -> Any:
        made = [self.submit(func, *args) for args in zip(*map(items, iterables), strict=False)]
        return Results(made)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True

    def __enter__(self) -> ThreadPoolExecutor:
        return self

    def __exit__(self, *exception: object) -> None:
        self.shutdown()


class Results:
    """What `map` of an executor gives."""

    __module__ = "builtins"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, futures: list[Future]) -> None:
        self._futures = futures
        self._at = 0

    def __iter__(self) -> Results:
        return self

    def __next__(self) -> Any:
        if self._at >= len(self._futures):
            raise StopIteration
        meter.charge(1)
        self._at += 1
        return self._futures[self._at - 1].result()


Results.__name__ = Results.__qualname__ = "generator"
_DONE: Any = make_namedtuple("DoneAndNotDoneFutures", ["done", "not_done"], {})
keep(ThreadPoolExecutor, Future, Thread)


def _as_completed(fs: Any, timeout: Any = None) -> Any:
    return iter(list(items(fs)))


def _wait(fs: Any, timeout: Any = None, return_when: Any = "ALL_COMPLETED") -> Any:
    done = set(items(fs))
    note_all(done)
    return _DONE(done, set())


_MAIN_THREAD = Module.of("threading", {"name": "MainThread", "ident": 1, "daemon": False})
_FUTURES: dict[str, Any] = {
    "ThreadPoolExecutor": ThreadPoolExecutor, "Future": Future,
    "as_completed": Builtin("as_completed", _as_completed), "wait": Builtin("wait", _wait),
    "ALL_COMPLETED": "ALL_COMPLETED", "FIRST_COMPLETED": "FIRST_COMPLETED", "FIRST_EXCEPTION": "FIRST_EXCEPTION",
    "TimeoutError": EXCEPTIONS["TimeoutError"],
}  # fmt: skip
_FUTURES_MODULE = Module.of("concurrent.futures", _FUTURES)
Lock.__name__ = Lock.__qualname__ = "lock"
Local.__name__ = Local.__qualname__ = "_local"


def _alone(*args: Any, **kwargs: Any) -> int:
    raise errors.no_process_group()


def _init_process_group(
    backend: Any = None, init_method: Any = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    *args: Any, **options: Any,
) -> None:  # fmt: skip
    environment = find("os").find("environ")
    asked = (("RANK", rank >= 0), ("WORLD_SIZE", world_size >= 0), ("MASTER_ADDR", False), ("MASTER_PORT", False))
    if init_method in (None, "env://"):
        for name, given in asked:
            if not given and not environment.get(name):
                raise ValueError(
                    "Error initializing torch.distributed using env:// rendezvous: environment variable"
                    f" {name} expected, but not set"
                )
    raise NotImplementedError("torch.distributed starts no group here: this is one process, alone")


def _destroy_process_group(*args: Any) -> None:
    raise AssertionError("Process group cannot be None")


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


_DISTRIBUTED: dict[str, Any] = {
    "is_available": Builtin("is_available", lambda: True),
    "is_initialized": Builtin("is_initialized", lambda: False),
    "is_nccl_available": Builtin("is_nccl_available", lambda: False),
    "is_gloo_available": Builtin("is_gloo_available", lambda: True),
    "is_torchelastic_launched": Builtin("is_torchelastic_launched", lambda: False),
    "init_process_group": Builtin("init_process_group", _init_process_group),
    "destroy_process_group": Builtin("destroy_process_group", _destroy_process_group),
    **{name: Builtin(name, _alone) for name in ("get_rank", "get_world_size", "get_backend", "barrier", "all_reduce")},
}
_MULTIPROCESSING: dict[str, Any] = {
    "cpu_count": Builtin("cpu_count", lambda: 1),
    "freeze_support": Builtin("freeze_support", _nothing),
    "set_start_method": Builtin("set_start_method", _nothing),
    "get_start_method": Builtin("get_start_method", lambda *args: "fork"),
}


def _spawn(fn: Any, args: Any = (), nprocs: Any = 1, join: Any = True, **options: Any) -> None:
    if nprocs:
        raise NotImplementedError("torch.multiprocessing.spawn starts no processes here: call the function itself")


_TORCH_MULTIPROCESSING: dict[str, Any] = {
    "spawn": Builtin("spawn", _spawn),
    **_MULTIPROCESSING,
    "set_sharing_strategy": Builtin("set_sharing_strategy", _nothing),
    "get_sharing_strategy": Builtin("get_sharing_strategy", lambda: "file_descriptor"),
}
ONLY_IN_PROGRAMS |= {
    "torch.distributed": Module.of("torch.distributed", _DISTRIBUTED),
    "torch.multiprocessing": Module.of("torch.multiprocessing", _TORCH_MULTIPROCESSING),
}

MODULES: dict[str, Any] = {
    "concurrent": {"futures": _FUTURES_MODULE},
    "concurrent.futures": _FUTURES_MODULE,
    "torch.distributed": _DISTRIBUTED,
    "torch.multiprocessing": _TORCH_MULTIPROCESSING,
    "multiprocessing": _MULTIPROCESSING,
    "threading": {
        "Thread": Thread, "Lock": Builtin("allocate_lock", Lock),
        "RLock": Builtin("RLock", Lock), "local": Local,
        "current_thread": Builtin("current_thread", lambda: _MAIN_THREAD),
        "main_thread": Builtin("main_thread", lambda: _MAIN_THREAD),
        "Event": Event, "Semaphore": Semaphore, "BoundedSemaphore": Semaphore, "Timer": Timer,
        "get_ident": Builtin("get_ident", lambda: 1),
        "active_count": Builtin("active_count", lambda: 1),
    },
}  # fmt: skip
