"""Freed memory stays with the process."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from engine.memory import keep_freed_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked")
def test_a_freed_block_is_given_out_again() -> None:
    assert keep_freed_memory()
    addresses = set()
    for _ in range(8):
        block = np.empty(1 << 20, np.uint8)
        addresses.add(block.ctypes.data)
        del block
    assert len(addresses) < 8
