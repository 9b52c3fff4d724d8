"""Values as bytes: the same numbers always give the same, and nothing else is in them."""

from __future__ import annotations

import zlib

import numpy as np

from app.workers.encoding import pack, plain, spell_non_finite, unpack


def test_long_doubles_leave_without_the_bytes_that_nobody_wrote() -> None:
    memory = bytearray(b"\xaa" * 64)
    dirty = np.frombuffer(memory, np.longdouble)
    dirty[...] = [1.5, -2.0, 0.0, 3.0]
    packed = pack(dirty, "bfloat16")
    assert packed == pack(dirty.astype(np.float32), "bfloat16")
    assert b"\xaa\xaa" not in zlib.decompress(packed.partition(b"\n")[2])
    array, dtype = unpack(packed)
    assert (array.tolist(), dtype) == ([1.5, -2.0, 0.0, 3.0], "bfloat16")


def test_a_long_double_is_a_number_of_python() -> None:
    assert plain(np.longdouble(1.5)) == 1.5 and type(plain(np.longdouble(1.5))) is float
    assert spell_non_finite([np.longdouble("inf")]) == ["Infinity"]
