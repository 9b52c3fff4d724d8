"""`threading`, `multiprocessing` and what `torch.distributed` answers to one process alone.

A thread here does its work when it is started, before its starter goes on: one of the orders there could be.
"""

from __future__ import annotations

from typing import Any

from engine.core.grad_mode import of_new_thread
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.bridge import ONLY_IN_PROGRAMS
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib import find
from engine.program.text import to_text
from engine.program.values import Builtin, Module


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


Lock.__name__ = Lock.__qualname__ = "lock"
Local.__name__ = Local.__qualname__ = "_local"


def _alone(*args: Any, **kwargs: Any) -> int:
    raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


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

MODULES: dict[str, dict[str, Any]] = {
    "torch.distributed": _DISTRIBUTED,
    "torch.multiprocessing": _TORCH_MULTIPROCESSING,
    "multiprocessing": _MULTIPROCESSING,
    "threading": {
        "Thread": Thread, "Lock": Builtin("allocate_lock", Lock),
        "RLock": Builtin("RLock", Lock), "local": Local,
        "current_thread": Builtin("current_thread", lambda: Module.of("threading", {"name": "MainThread"})),
        "get_ident": Builtin("get_ident", lambda: 1),
        "active_count": Builtin("active_count", lambda: 1),
    },
}  # fmt: skip
