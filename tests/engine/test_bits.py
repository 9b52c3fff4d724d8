"""float32 results have PyTorch's bits (recorded by tests.record.bits)."""

from __future__ import annotations

import json

import numpy as np
import pytest

import engine.torch as torch
from engine.kernels.exp import _POLYNOMIAL, blocked_exp, precise_exp, vector_exp
from engine.kernels.rounding import fused
from engine.nn import functional
from tests.record.bits import ANSWERS, EXACT, EXPRESSIONS, SHAPES, results

BITS: dict[str, list[str]] = json.loads(ANSWERS.read_text())["bits"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_bits(expression: str) -> None:
    recorded = BITS[expression]
    same = count = 0
    for shape, answer in zip(SHAPES[-len(recorded) :], recorded, strict=True):
        want = np.frombuffer(bytes.fromhex(answer), np.float32)
        got = np.array(results(torch, functional, expression, shape), np.float32)
        np.testing.assert_allclose(got, want, rtol=3e-7, atol=2e-7)
        same += int(np.count_nonzero(got == want))
        count += want.size
    assert same >= EXACT * count, f"{count - same} of {count} numbers differ"


def test_fused_rounds_once() -> None:
    a, b, c = np.float32(1 + 2**-12), np.float32(1 + 2**-12), np.float32(-1)
    assert fused(a, b, c) == np.float32(2**-11 + 2**-24) != np.float32(a * b) + c
    wide = np.float64(1 + 2**-30)
    assert fused(wide, wide, np.float64(-1)) == 2**-29 + 2**-60
    np.testing.assert_array_equal(fused(np.array([a, a]), 3, c), np.float32(float(a) * 3 - 1))
    np.testing.assert_array_equal(fused(np.array([a]), np.array([b]), -1), [np.float32(2**-11 + 2**-24)])
    assert fused(np.array([2]), 3, np.array([1])).tolist() == [7]


def test_exponentials_agree_to_the_last_bit_but_one() -> None:
    x = np.linspace(-80, 80, 500, dtype=np.float32)
    np.testing.assert_allclose(vector_exp(x), precise_exp(x), rtol=1.3e-7)
    np.testing.assert_array_equal(blocked_exp(x[:40], 32)[:32], vector_exp(x[:32]))
    np.testing.assert_array_equal(blocked_exp(x[:40], 32)[32:], precise_exp(x[32:40]))
    edges = np.array([-np.inf, np.inf, np.nan, 0], np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(vector_exp(edges), np.array([0, np.inf, np.nan, 1], np.float32))
    x = np.linspace(-30, 30, 101, dtype=np.float32)  # one number far from 0 has all of them computed another way
    np.testing.assert_array_equal(vector_exp(np.append(x, np.float32(103)))[:-1], vector_exp(x))
    for number in (-86.99, 86.99, 88.5):
        x = np.array([number], np.float32)
        np.testing.assert_allclose(vector_exp(x), precise_exp(x), rtol=1.3e-7)


def test_sums_in_the_polynomial_are_rounded_once() -> None:
    """On the grid of float32 numbers between two powers of two, to the nearest, of two the even one."""
    for shifted, shift in _POLYNOMIAL:
        coefficient = float(shifted) - float(shift)
        assert coefficient == np.float32(coefficient)
        step = float(np.spacing(np.float32(coefficient)))
        for x in (0, step, 0.4 * step, 0.5 * step, 0.6 * step, 1.5 * step, coefficient / 16, -coefficient / 17):
            assert (x + float(shifted)) - float(shift) == np.float32(x + coefficient)
