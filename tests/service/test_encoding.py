"""Values as bytes: the same numbers always give the same, and nothing else is in them."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from app.workers import encoding
from app.workers.encoding import compress_value, encode, pack, plain, spell_non_finite, unpack, written
from engine.trace.values import nested
from engine.types.bfloat16 import BFLOAT16


def test_bfloat16_is_stored_as_float32() -> None:
    short = np.array([1.5, -2.0, 0.0, 3.0], BFLOAT16)
    packed = pack(short, "bfloat16")
    assert packed == pack(short.astype(np.float32), "bfloat16")
    array, dtype = unpack(packed)
    assert (array.tolist(), dtype) == ([1.5, -2.0, 0.0, 3.0], "bfloat16")


def test_a_bfloat16_is_a_number_of_python() -> None:
    assert plain(BFLOAT16.type(1.5)) == 1.5 and type(plain(BFLOAT16.type(1.5))) is float
    assert spell_non_finite([BFLOAT16.type("inf")]) == ["Infinity"]


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
