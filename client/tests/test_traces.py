"""Recordings leave PyTorch and Python as they were; `traces.py` tries it with libraries, too."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable

import pytest
import torch
import traces
from torch.optim import optimizer


@pytest.mark.parametrize("program", traces.OWN, ids=lambda program: program.__name__)
def test_a_recording_leaves_no_trace(viewer: str, program: Callable[[], None]) -> None:
    program()
    assert traces.left(program)[0] == []


def _hook() -> None:
    optimizer._global_optimizer_pre_hooks[-1] = print  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("leave", "found"),
    [
        (lambda: warnings.filterwarnings("ignore", "nothing like it"), "warnings"),
        (_hook, "optimizer hooks"),
        (lambda: torch.set_default_dtype(torch.float64), "defaults"),
        (lambda: torch.set_grad_enabled(False), "grad modes"),
        (lambda: sys.setprofile(lambda *_: None), "streams"),
        (random.random, "randomness"),
    ],
)
def test_a_trace_would_be_seen(leave: Callable[[], object], found: str) -> None:
    runs: list[int] = []

    def program() -> None:
        runs.append(1)
        if len(runs) == 2:  # in the recording
            leave()

    try:
        with warnings.catch_warnings():
            assert traces.left(program)[0] == [found]
    finally:
        optimizer._global_optimizer_pre_hooks.pop(-1, None)
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        sys.setprofile(None)
