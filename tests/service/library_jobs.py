"""The same stand-ins, some of which need a library that other processes have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.workers.wire import Frame
from tests.service import fake_jobs
from tests.service.fake_jobs import LIBRARIES

NAME = "lib.rary"
loaded = False


def describe() -> dict[str, Any]:
    return {**fake_jobs.describe(), "libraries": [NAME]}


def load_libraries() -> tuple[str, ...]:
    global loaded
    loaded = True
    return ()


def prepare() -> None:
    """Nothing: a job finds the process as it is."""


def leave() -> None:
    """Nothing was prepared."""


def warm(last: bool = False) -> None:
    """Nothing: both kinds of processes are tried alike."""


def handle(kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], *answer: Any) -> Frame:
    if (NAME.encode() in parts["request"]) is not loaded:
        raise SystemError("a process of the wrong kind")
    return fake_jobs.handle(kind, fields, parts)


__all__ = ["LIBRARIES", "describe", "handle", "load_libraries", "warm"]
