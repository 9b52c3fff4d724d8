"""No test keeps the others waiting for ever.

pytest-timeout has one alarm for a test and all its repetitions, which the first failure cancels: a second attempt, or a
teardown after a failure, could wait for ever, and so could what ends a session. Here each phase of each attempt has an
alarm of its own, which asks nobody: it writes where every thread is and ends the process. Where tests are divided among
several, pytest-xdist names the test and starts another process for the rest.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
from collections.abc import Iterator

import pytest

MARGIN = 60.0
"""Seconds beyond those of `--timeout`, which tells more where it can."""
ORDINARY = 600.0
LAST = 120.0
"""Seconds after the last test."""
_errors = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_errors] = os.dup(2)  # while tests run it is a file that nobody would see


@contextlib.contextmanager
def _bounded(config: pytest.Config) -> Iterator[None]:
    seconds = (config.getoption("timeout", None) or ORDINARY) + MARGIN
    faulthandler.dump_traceback_later(seconds, file=config.stash[_errors], exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _bounded(item.config):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _bounded(item.config):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _bounded(item.config):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    faulthandler.dump_traceback_later(LAST, file=session.config.stash[_errors], exit=True)
