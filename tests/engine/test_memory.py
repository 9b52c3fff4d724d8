"""Freed memory stays with the process; what one tensor holds, no other writes to."""

from __future__ import annotations

import platform

import numpy as np
import pytest

import engine.torch as torch
from engine.memory import keep_freed_memory
from tests.engine.test_opdb import INTERNAL
from tests.opdb.replay import keys, written_by_others


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked")
def test_a_freed_block_is_given_out_again() -> None:
    assert keep_freed_memory()
    addresses = set()
    for _ in range(8):
        block = np.empty(1 << 20, np.uint8)
        addresses.add(block.ctypes.data)
        del block
    assert len(addresses) < 8


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", [key for key in keys() if key not in INTERNAL])
def test_nobody_writes_into_what_another_holds(key: str) -> None:
    assert written_by_others(key) == []


def _halve_through_the_real_part(rows: int) -> None:
    z = torch.ones(rows, rows, dtype=torch.complex128, requires_grad=True)
    w = z * 1
    w.diagonal().real.mul_(0.5)
    w.real.sum().backward()
    assert z.grad.real.sum().item() == rows * rows - rows / 2


def test_writes_through_views_stay_inside_the_memory_of_the_base() -> None:
    neighbours = [np.full(size, 3.0) for size in (4, 9, 16, 32) for _ in range(50)]
    for rows in (1, 2, 3, 4, 7) * 10:
        _halve_through_the_real_part(rows)
    assert all((array == 3.0).all() for array in neighbours)


def test_a_view_of_a_base_that_became_smaller_is_an_error() -> None:
    x = torch.ones(4, dtype=torch.float64, requires_grad=True)
    w = x * 1
    part = w[2:]
    w.data = torch.zeros(1, dtype=torch.float64)
    part.mul_(2)
    with pytest.raises(RuntimeError, match="storage offset 2, and itemsize 8 requiring a storage size of 32"):
        part.sum().backward()


def test_a_view_of_memory_before_its_base_is_an_error() -> None:
    whole, factor = torch.zeros(6), torch.ones(3, requires_grad=True)
    part = whole[2:5].detach()
    part.add_(factor)
    part.as_strided((6,), (1,), 0).mul_(2)
    with pytest.raises(RuntimeError, match="^Tensor: invalid storage offset -2$"):
        part.sum().backward()
