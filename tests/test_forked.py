"""Calls in processes of their own end, whatever is called."""

from __future__ import annotations

import os

import pytest

from tests import forked
from tests.forked import called


def parent(_: None) -> int:
    return os.getppid()


def test_a_call_that_does_not_end_is_killed_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    server = called("tests.test_forked", "parent", None, libraries=False)
    with monkeypatch.context() as patch:
        patch.setattr(forked, "CALL_SECONDS", 0.5)
        with pytest.raises(AssertionError, match=r"^time\.sleep has not ended in time, of 6000$"):
            called("time", "sleep", 6000, libraries=False)
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    assert called("operator", "neg", 1, libraries=False) == -1


@pytest.mark.parametrize("status", [0, 3])
def test_a_process_that_leaves_without_an_answer_gives_none(status: int) -> None:
    assert called("os", "_exit", status, libraries=False) is None
    assert called("operator", "neg", 1, libraries=False) == -1
