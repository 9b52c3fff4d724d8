"""The life of one worker process: lock, do one job, end."""

from __future__ import annotations

import contextlib
import os
import socket
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from app.workers import wire
from app.workers.lockdown import cpu_used

MAX_REQUEST = 256 << 20
REPLY_SECONDS = 5
"""Processor time beside a job's own: a program that has used up all of that is told about in it."""


class Jobs(Protocol):
    """A module of jobs, imported by name in the worker.

    `LIBRARIES` names the packages of which its jobs may import something late, besides Python's own.
    """

    LIBRARIES: tuple[str, ...]

    def load_libraries(self) -> Sequence[str]:
        """Import what only some jobs need, in a process from which theirs are forked, and give the packages of which
        they may import more. Called only where what `describe` gives names `libraries`."""

    def describe(self) -> dict[str, Any]:
        """What the service needs to know about the engine; called once, before any worker exists.

        Also the place to exercise everything that is imported or compiled on first use: it is shared by all workers.
        """

    def prepare(self) -> None:
        """Make ready what a job finds around it: the next one in this process, or in one that is forked from it."""

    def leave(self) -> None:
        """Undo `prepare`: this process does something else now."""

    def warm(self, last: bool = False) -> None:
        """A small job of the most common kind, the `last` thing that this process does or not. The memory that it
        writes to is copied in every worker before its job."""

    def handle(
        self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], answer: Callable[[wire.Frame], NoReturn]
    ) -> wire.Frame:
        """Do the one job of this process, in the `cpu_seconds` that `fields` name and little more. A header with
        `problem` (a slug) and `detail` refuses it. `answer` ends the process with a frame, from anywhere in the job."""


def serve(sock: socket.socket, jobs: Jobs, cpu_seconds: int) -> None:
    """Do one job from `sock`, which is told that it has `cpu_seconds`; none when the service closes it."""
    with contextlib.suppress(BrokenPipeError):
        sock.sendall(wire.STARTED.pack(cpu_used()))
    frame = wire.receive(sock, MAX_REQUEST)
    if frame is None:
        return
    frame.header["cpu_seconds"] = cpu_seconds

    def reply(made: wire.Frame) -> NoReturn:
        sock.sendall(made.encode())
        os._exit(0)

    sock.sendall(answer(jobs, frame, reply).encode())


def answer(jobs: Jobs, frame: wire.Frame, reply: Callable[[wire.Frame], NoReturn]) -> wire.Frame:
    """The reply to one job; whatever goes wrong in it becomes part of the reply.

    What depends on the machine and not on the program alone must not look like a result of it.
    """
    fields = dict(frame.header)
    try:
        return jobs.handle(fields.pop("kind"), fields, frame.parts, reply)
    except MemoryError:
        return wire.Frame({"problem": "run-memory-limit", "detail": "The program needs more memory than it may use."})
    except (SystemError, RecursionError) as failure:
        detail = f"Python gave up on it ({type(failure).__name__})."
        return wire.Frame({"problem": "run-crashed", "detail": detail, "log": excerpt()})
    except BaseException:
        return wire.Frame({"fault": excerpt()})


def excerpt() -> str:
    """The end of the traceback of the exception being handled."""
    return traceback.format_exc()[-8000:]
