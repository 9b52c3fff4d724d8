"""The life of one worker process: lock, say ready, then one job at a time until the socket closes."""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Mapping
from typing import Any, Protocol

from app.workers import wire
from app.workers.lockdown import WorkerLimits, grant_cpu, lock

MAX_REQUEST = 256 << 20


class Jobs(Protocol):
    """A module of jobs, imported by name in the worker."""

    def describe(self) -> dict[str, Any]:
        """What the service needs to know about the engine; called once, before any worker exists.

        Also the place to exercise everything that is imported or compiled on first use: it is shared by all workers.
        """

    def handle(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> wire.Frame:
        """Do one job. A header with `problem` (a slug) and `detail` refuses it."""


def serve(sock: socket.socket, jobs: Jobs, limits: WorkerLimits, description: Mapping[str, Any]) -> None:
    """Answer jobs from `sock`; returns when the service closes it. `description` goes out with the ready message."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    locks = lock(limits)
    sock.sendall(wire.Frame({"ready": True, "locks": locks, **description}).encode())
    while (frame := wire.receive(sock, MAX_REQUEST)) is not None:
        grant_cpu(limits.cpu_seconds)
        sock.sendall(answer(jobs, frame))


def answer(jobs: Jobs, frame: wire.Frame) -> bytes:
    """The encoded reply to one job; whatever goes wrong in it becomes part of the reply."""
    fields = dict(frame.header)
    try:
        return jobs.handle(fields.pop("kind"), fields, frame.parts).encode()
    except MemoryError:
        # `retire`: the heap of this process may be too fragmented for the next program.
        return wire.Frame(
            {"problem": "run-memory-limit", "detail": "The program needs more memory than it may use.", "retire": True}
        ).encode()
    except BaseException:
        return wire.Frame({"fault": traceback.format_exc()[-8000:], "retire": True}).encode()
