"""Values as bytes: the same numbers always give the same, and nothing else is in them."""

from __future__ import annotations

import gzip
import zlib

import numpy as np
import pytest

from app.workers import encoding
from app.workers.encoding import compress_value, encode, pack, plain, spell_non_finite, unpack, written
from engine.trace.values import nested


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


@pytest.mark.parametrize("shape", [(), (0,), (5,), (503,), (3, 181), (181, 3), (2, 3, 140), (3, 0)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex64", "bool"])
def test_values_are_written_piece_by_piece(shape: tuple[int, ...], dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "PIECE", 100)
    array = (np.arange(np.prod(shape, dtype=int)) % 7 / 3).reshape(shape).astype(dtype)
    if array.dtype.kind == "f" and array.size > 3:
        array.ravel()[3] = np.nan
    whole = encode({"shape": list(shape), "dtype": dtype, "data": nested(array)})
    assert gzip.decompress(compress_value(array, dtype)) == whole
    assert max(map(len, written(array))) < 40 * 100
