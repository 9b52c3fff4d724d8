"""Pointwise and special functions: gradients of every row, numerics, dtypes and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.core.tensor import Tensor
from tests.engine.gradients import POSITIVE, UNIT, A, B, Case, M, array, check_gradients, check_row, rows_of, tensor

MASK = tensor(np.array([True, False, True]))

POINTWISE: dict[str, Case] = {
    "exp": (torch.exp, A),
    "exp2": (torch.exp2, A),
    "expm1": (torch.expm1, A),
    "log": (torch.log, POSITIVE),
    "log2": (torch.log2, POSITIVE),
    "log10": (torch.log10, POSITIVE),
    "log1p": (torch.log1p, A),
    "logaddexp": (torch.logaddexp, A, B),
    "logaddexp2": (torch.logaddexp2, A, B),
    "ldexp": (torch.ldexp, A, B),
    "logit": (torch.logit, UNIT),
    "sigmoid": (torch.sigmoid, A),
    "sigmoid_backward": (ops.sigmoid_backward, A, UNIT),
    "sin": (torch.sin, A),
    "cos": (torch.cos, A),
    "tan": (torch.tan, A),
    "asin": (torch.asin, A),
    "acos": (torch.acos, A),
    "atan": (torch.atan, A),
    "atan2": (torch.atan2, A, B),
    "sinh": (torch.sinh, A),
    "cosh": (torch.cosh, A),
    "tanh": (torch.tanh, A),
    "tanh_backward": (ops.tanh_backward, A, B),
    "asinh": (torch.asinh, A),
    "acosh": (torch.acosh, POSITIVE + 1),
    "atanh": (torch.atanh, A),
    "sinc": (torch.sinc, A),
    "deg2rad": (torch.deg2rad, A),
    "rad2deg": (torch.rad2deg, A),
    "angle": (torch.angle, A),
    "floor": (torch.floor, A),
    "ceil": (torch.ceil, A),
    "trunc": (torch.trunc, A),
    "round": (torch.round, A),
    "round_decimals": (lambda x: torch.round(x, decimals=1), A + 0.03),
    "frac": (torch.frac, A),
    "clamp": (lambda x: torch.clamp(x, -0.5, 0.5), A),
    "clamp_Tensor": (torch.clamp, A, array(-0.1, -0.5, -0.2), array(0.2, 0.4, 0.6)),
    "clamp_min": (lambda x: torch.clamp_min(x, 0.1), A),
    "clamp_max": (lambda x: torch.clamp_max(x, 0.1), A),
    "clamp_min_Tensor": (torch.clamp_min, A, B),
    "clamp_max_Tensor": (torch.clamp_max, A, B),
    "where": (lambda x, y: torch.where(MASK, x, y), A, B),
    "nan_to_num": (torch.nan_to_num, A),
    "nextafter": (torch.nextafter, A, B),
    "frexp": (lambda x: torch.frexp(x)[0], A),
}

SPECIAL: dict[str, Case] = {
    "erf": (torch.erf, A),
    "erfc": (torch.erfc, A),
    "erfinv": (torch.erfinv, A * 0.6),
    "special_erfcx": (torch.special.erfcx, A),
    "special_log_ndtr": (torch.special.log_ndtr, A),
    "special_ndtri": (torch.special.ndtri, UNIT),
    "lgamma": (torch.lgamma, POSITIVE),
    "digamma": (torch.digamma, POSITIVE),
    "polygamma": (lambda x: torch.polygamma(2, x), POSITIVE),
    "mvlgamma": (lambda x: torch.mvlgamma(x, 2), POSITIVE + 1),
    "i0": (torch.i0, A),
    "special_i0e": (torch.special.i0e, A),
    "special_i1": (torch.special.i1, A),
    "special_i1e": (torch.special.i1e, A),
    "special_entr": (torch.special.entr, POSITIVE),
    "xlogy": (torch.xlogy, A, POSITIVE),
    "xlogy_OtherScalar": (lambda x: torch.xlogy(x, 2.5), A),
    "xlogy_SelfScalar": (lambda x: torch.xlogy(2.5, x), POSITIVE),
    "special_xlog1py": (torch.special.xlog1py, A, POSITIVE),
    "special_xlog1py_other_scalar": (lambda x: torch.special.xlog1py(x, 2.5), A),
    "special_xlog1py_self_scalar": (lambda x: torch.special.xlog1py(2.5, x), POSITIVE),
}


@pytest.mark.parametrize("identifier", POINTWISE)
def test_gradients(identifier: str) -> None:
    check_row(identifier, POINTWISE[identifier])


@pytest.mark.parametrize("identifier", SPECIAL)
def test_gradients_of_special_functions(identifier: str) -> None:
    check_row(identifier, SPECIAL[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("pointwise") == set(POINTWISE)
    assert rows_of("special") == set(SPECIAL)


def test_composites_have_gradients() -> None:
    check_gradients(torch.special.ndtr, A)
    check_gradients(lambda x: torch.where(x > 0, x * x, -x), M)
    check_gradients(lambda x: torch.clamp(x, min=-0.5), A)


def test_where_keeps_nan_out_of_the_gradient() -> None:
    x = torch.tensor([1.0, float("nan"), float("inf")], requires_grad=True)
    torch.where(x > 0, x, 0.0).sum().backward()
    assert x.grad.tolist() == [1, 0, 1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("f", "at", "expected"),
    [
        (lambda x: torch.clamp(x, min=0), 0.0, 1.0),
        (torch.floor, 0.0, 0.0),
        (torch.log, 0.0, np.inf),
        (lambda x: torch.clamp(x, max=0), 0.0, 1.0),
        (lambda x: torch.clamp(x, 1, 0), 0.5, 0.0),
    ],
)
def test_slopes_where_there_is_a_choice(f: Any, at: float, expected: float) -> None:
    x = torch.tensor(at, requires_grad=True)
    f(x).backward()
    np.testing.assert_equal(x.grad.item(), expected)  # type: ignore[union-attr]


def test_float32_functions_are_rounded_from_float64() -> None:
    values = np.linspace(-3, 3, 1001, dtype=np.float32)
    for name in ("exp", "tanh", "sin", "cos", "expm1", "sinh", "atan", "erf"):
        wide = torch.erf(tensor(values.astype(np.float64)))._array if name == "erf" else None
        exact = wide if wide is not None else getattr(np, {"atan": "arctan"}.get(name, name))(values.astype(np.float64))
        got = getattr(torch, name)(tensor(values))._array
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got, exact.astype(np.float32))


def test_scalars_and_arrays_agree() -> None:
    for name in ("exp", "log", "sin", "tanh", "sqrt", "sigmoid", "erf", "log1p", "atan"):
        for number in (0.0, 0.3, 1.7, 1000.0, math.inf, -math.inf, -2.0, math.nan):
            one = getattr(torch, name)(torch.tensor(number)).item()
            many = getattr(torch, name)(torch.tensor([number, number]))[1].item()
            np.testing.assert_equal(one, many, err_msg=f"{name}({number})")


@pytest.mark.parametrize("name", ["exp", "sin", "log", "sqrt", "sigmoid", "tanh", "erf", "rsqrt", "reciprocal"])
def test_integers_become_the_default_float(name: str) -> None:
    for value in (torch.tensor([1, 2]), torch.tensor([True, True])):
        result = getattr(torch, name)(value)
        assert result.dtype is torch.float32


def test_rounding_leaves_integers_alone_and_breaks_ties_to_even() -> None:
    assert torch.floor(torch.tensor([1, 2])).dtype is torch.int64
    assert torch.round(torch.tensor([0.5, 1.5, 2.5])).tolist() == [0, 2, 2]
    assert torch.round(torch.tensor([1.25, 1.35], dtype=torch.float64), decimals=1).tolist() == [1.2, 1.4]


def test_clamping_integers_with_floats_gives_floats() -> None:
    assert torch.clamp(torch.tensor([1, 2, 3]), 0.5, 2).dtype is torch.float32
    assert torch.clamp(torch.tensor([1, 2, 3]), 1, 2).dtype is torch.int64
    assert torch.clamp(torch.tensor([1.0, 5.0]), 4, 2).tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("torch.clamp(x)", RuntimeError, "torch.clamp: At least one of 'min' or 'max' must not be None"),
        (
            "torch.where(x, x, x)",
            RuntimeError,
            "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
        ),
        ("torch.exp(2.0)", TypeError, "exp(): argument 'input' (position 1) must be Tensor, not float"),
        ("torch.polygamma(-1, x)", RuntimeError, "polygamma(n, x) does not support negative n."),
        (
            "torch.where(x > 0, x, torch.ones(3))",
            RuntimeError,
            "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
        ),
    ],
)
def test_refusals(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        eval(text, {"torch": torch, "x": torch.tensor([1.0, 2.0])})
    assert str(caught.value) == message


def test_in_place_twins() -> None:
    x: Tensor = torch.tensor([0.5, -0.5])
    assert x.exp_() is x
    x.clamp_(0.7, 1.2).sin_().round_()
    assert x.tolist() == [1.0, 1.0] and x._version == 4
