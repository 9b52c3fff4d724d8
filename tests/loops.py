"""Coroutines of tests that are no coroutines themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def completed(work: Coroutine[Any, Any, T], run: Callable[[Coroutine[Any, Any, T]], T] = asyncio.run) -> T:
    """What `work` returns, from an event loop of its own that `run` makes.

    In a thread of its own, because browser tests in the same session keep an event loop running in the main thread.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, work).result()
