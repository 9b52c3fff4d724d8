"""Sums, products, powers: values, gradients, nodes, dtypes and refusals."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.core.tensor import Tensor
from tests.engine.gradients import POSITIVE, SCALAR, A, B, Case, N, check_gradients, check_row, rows_of

ROWS: dict[str, Case] = {
    "add": (lambda x, y: torch.add(x, y, alpha=3), A, B),
    "add_Scalar": (lambda x: ops.add_Scalar(x, 2), A),
    "sub": (lambda x, y: torch.sub(x, y, alpha=0.5), A, B),
    "sub_Scalar": (lambda x: ops.sub_Scalar(x, 2), A),
    "rsub": (lambda x, y: torch.rsub(x, y, alpha=2), A, B),
    "rsub_Scalar": (lambda x: 1 - x, A),
    "neg": (lambda x: -x, A),
    "mul": (lambda x, y: x * y, A, B),
    "mul_Scalar": (lambda x: ops.mul_Scalar(x, 2.5), A),
    "div": (lambda x, y: x / y, A, B),
    "div_Scalar": (lambda x: ops.div_Scalar(x, 2.5), A),
    "div_Tensor_mode": (lambda x, y: torch.div(x, y, rounding_mode="floor"), A, B),
    "remainder": (lambda x, y: x % y, A * 4.3, B),
    "remainder_Scalar": (lambda x: x % 0.4, A),
    "fmod": (torch.fmod, A * 4.3, B),
    "fmod_Scalar": (lambda x: torch.fmod(x, 0.4), A),
    "addcmul": (lambda x, y, z: torch.addcmul(x, y, z, value=3), A, B, POSITIVE),
    "addcdiv": (lambda x, y, z: torch.addcdiv(x, y, z, value=3), A, B, POSITIVE),
    "reciprocal": (torch.reciprocal, A),
    "pow_Tensor_Scalar": (lambda x: x**3, A),
    "pow_Tensor_Tensor": (lambda x, y: x**y, POSITIVE, B),
    "pow_Scalar": (lambda x: 2.5**x, A),
    "sqrt": (torch.sqrt, POSITIVE),
    "rsqrt": (torch.rsqrt, POSITIVE),
    "hypot": (torch.hypot, A, B),
    "abs": (abs, A),
    "sgn": (torch.sgn, A),
    "sign": (torch.sign, A),
    "copysign": (torch.copysign, A, B),
    "copysign_Scalar": (lambda x: torch.copysign(x, -1.0), A),
    "maximum": (torch.maximum, A, B),
    "minimum": (torch.minimum, A, B),
    "fmax": (torch.fmax, A, B),
    "fmin": (torch.fmin, A, B),
    "lerp_Scalar": (lambda x, y: torch.lerp(x, y, 0.3), A, B),
    "lerp_Tensor": (torch.lerp, A, B, np.array([0.2, 0.7, 1.4])),
}
WITHOUT_GRADIENT = {"floor_divide", "floor_divide_Scalar", "floor_divide_Scalar_Tensor", "remainder_Scalar_Tensor"}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("arithmetic") == set(ROWS) | WITHOUT_GRADIENT


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: x * y,
        lambda x, y: x / y,
        lambda x, y: x - y,
        torch.hypot,
        torch.maximum,
        lambda x, y: torch.lerp(x, y, 0.2),
        lambda x, y: (x * x) ** y,
    ],
)
def test_broadcast_operands_get_gradients_of_their_own_shape(f: Any) -> None:
    check_gradients(f, N, B)
    check_gradients(f, SCALAR, N)
    check_gradients(f, N[:, :1], A)


def test_powers_of_numbers() -> None:
    for exponent in (0, 1, 2, 3, 4, 0.5, -0.5, -1, -2, 2.5):
        check_gradients(lambda x, e=exponent: x**e, POSITIVE)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: x**4, 3.999999989900971e-06),
        (lambda x: x**-0.5, -500.0000305175781),
        (lambda x: (x * 4.214286 + 0.01).rsqrt(), -176.97084045410156),
    ],
)
def test_powers_in_derivatives_have_the_last_bits_of_powers(f: Any, expected: float) -> None:
    x = torch.tensor([0.01], requires_grad=True)
    f(x).backward()
    assert x.grad is not None
    assert x.grad.item() == expected


def edges(t: Tensor) -> str:
    assert t.grad_fn is not None
    names = ["None" if node is None else type(node).__name__ for node, _ in t.grad_fn.next_functions]
    return f"{type(t.grad_fn).__name__}({','.join(names)})"


def leaf(*values: float) -> Tensor:
    return torch.tensor(list(values), requires_grad=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + 1", "AddBackward0(AccumulateGrad,None)"),
        ("1 + x", "AddBackward0(AccumulateGrad,None)"),
        ("x - 1", "SubBackward0(AccumulateGrad,None)"),
        ("1 - x", "RsubBackward1(AccumulateGrad)"),
        ("x * True", "MulBackward0(AccumulateGrad,None)"),
        ("2 * x", "MulBackward0(AccumulateGrad,None)"),
        ("x / 2", "DivBackward0(AccumulateGrad,None)"),
        ("2 / x", "MulBackward0(ReciprocalBackward0,None)"),
        ("x ** 2", "PowBackward0(AccumulateGrad)"),
        ("2 ** x", "PowBackward2(AccumulateGrad)"),
        ("x ** y", "PowBackward1(AccumulateGrad,AccumulateGrad)"),
        ("x % 2", "RemainderBackward0(AccumulateGrad)"),
        ("2 % x", "NotImplemented(AccumulateGrad)"),
        ("x // 2", "NotImplemented(AccumulateGrad)"),
        ("x // y", "NotImplemented(AccumulateGrad,AccumulateGrad)"),
        ("torch.div(x, y, rounding_mode=None)", "DivBackward2(AccumulateGrad,AccumulateGrad)"),
        ("torch.square(x)", "PowBackward0(AccumulateGrad)"),
        ("torch.mul(2, x)", "MulBackward0(None,AccumulateGrad)"),
    ],
)
def test_numbers_make_none_edges_or_none_at_all(text: str, expected: str) -> None:
    assert edges(eval(text, {"torch": torch, "x": leaf(1.0, 2.0), "y": leaf(3.0, 4.0)})) == expected


def test_floor_division_has_no_derivative() -> None:
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        (leaf(1.0) // 2).sum().backward()


def test_only_what_is_needed_is_saved() -> None:
    x, w = leaf(1.0, 2.0), torch.tensor([3.0, 4.0])
    node = (x * w).grad_fn
    assert node is not None
    assert node._saved_self is None and node._saved_other is w
    assert (x * 3).grad_fn._saved_other.item() == 3  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("i * 2.5", "float32"),
        ("i / 2", "float32"),
        ("i ** 2", "int64"),
        ("i ** 2.5", "float32"),
        ("i + True", "int64"),
        ("f * d0", "float32"),
        ("f * d", "float64"),
        ("b + b", "bool"),
        ("b * 2", "int64"),
        ("i // 2", "int64"),
        ("i % 2", "int64"),
        ("h * 2.0", "float16"),
        ("f + 2", "float32"),
        ("2 ** i", "int64"),
        ("2.0 ** i", "float32"),
    ],
)
def test_result_dtypes(text: str, dtype: str) -> None:
    names = {
        "i": torch.tensor([1, 2]),
        "f": torch.tensor([1.0]),
        "d": torch.tensor([1.0], dtype=torch.float64),
        "d0": torch.tensor(1.0, dtype=torch.float64),
        "b": torch.tensor([True]),
        "h": torch.tensor([1.0], dtype=torch.float16),
    }
    assert eval(text, names).dtype is getattr(torch, dtype)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (
            "m + torch.ones(2, 4)",
            RuntimeError,
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
        ),
        (
            "m.add_(torch.ones(2, 4))",
            RuntimeError,
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
        ),
        ("x + 'a'", TypeError, "unsupported operand type(s) for +: 'Tensor' and 'str'"),
        ("x / None", TypeError, "unsupported operand type(s) for /: 'Tensor' and 'NoneType'"),
        ("x % 'a'", TypeError, "unsupported operand type(s) for %: 'Tensor' and 'str'"),
        ("x ** 'a'", TypeError, "unsupported operand type(s) for ** or pow(): 'Tensor' and 'str'"),
        ("torch.add(x, 'a')", TypeError, "add(): argument 'other' (position 2) must be Tensor, not str"),
        ("x.add('a')", TypeError, "add(): argument 'other' (position 1) must be Tensor, not str"),
        ("torch.sqrt(2)", TypeError, "sqrt(): argument 'input' (position 1) must be Tensor, not int"),
        ("torch.maximum(x, 2)", TypeError, "maximum(): argument 'other' (position 2) must be Tensor, not int"),
        ("i // 0", RuntimeError, "ZeroDivisionError"),
        ("i % 0", RuntimeError, "ZeroDivisionError"),
        ("i ** -1", RuntimeError, "Integers to negative integer powers are not allowed."),
        (
            "-(i > 1)",
            RuntimeError,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead.",
        ),
        (
            "(i > 1) - (i > 1)",
            RuntimeError,
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead.",
        ),
        (
            "i - True",
            RuntimeError,
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead.",
        ),
        (
            "torch.div(x, x, rounding_mode='foo')",
            RuntimeError,
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'foo'",
        ),
        ("x * 2 ** 70", OverflowError, "int too big to convert"),
    ],
)
def test_refusals(text: str, kind: type[Exception], message: str) -> None:
    names = {"torch": torch, "m": torch.ones(2, 3), "x": torch.tensor([1.0, 2.0]), "i": torch.tensor([1, 2])}
    with pytest.raises(kind) as caught:
        eval(text, names)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("f", "at", "expected"),
    [
        (lambda x: x**0, 0.0, 0.0),
        (lambda x: x**1, 0.0, 1.0),
        (lambda x: x**2, 0.0, 0.0),
        (lambda x: x**0.5, 0.0, np.inf),
        (lambda x: x**-1, 0.0, -np.inf),
        (lambda x: 0**x, 0.0, 0.0),
        (abs, 0.0, 0.0),
        (torch.sign, 0.0, 0.0),
        (torch.sqrt, 0.0, np.inf),
        (lambda x: torch.maximum(x, torch.tensor(1.0)), 1.0, 0.5),
        (lambda x: torch.fmod(x, 2), 0.0, 1.0),
        (lambda x: x % 2, 0.0, 1.0),
        (torch.sqrt, -1.0, np.nan),
    ],
)
def test_slopes_where_there_is_a_choice(f: Any, at: float, expected: float) -> None:
    x = torch.tensor(at, requires_grad=True)
    f(x).backward()
    np.testing.assert_equal(x.grad.item(), expected)  # type: ignore[union-attr]


def test_in_place_operators_write_and_keep_identity() -> None:
    for symbol, expected in [
        (operator.iadd, 6.0),
        (operator.isub, 2.0),
        (operator.imul, 8.0),
        (operator.itruediv, 2.0),
        (operator.ifloordiv, 2.0),
        (operator.imod, 0.0),
        (operator.ipow, 16.0),
    ]:
        x = torch.tensor([4.0])
        before = x
        x = symbol(x, 2)
        assert x is before and x.tolist() == [expected] and x._version == 1


def test_second_derivative_through_an_overwritten_tensor() -> None:
    x = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    y = (x * 1).pow_(3)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert first.item() == 12 and second.item() == 12


def test_the_old_order_of_add_still_works_with_a_warning() -> None:
    x = torch.tensor([1.0])
    with pytest.warns(UserWarning, match="This overload of add_ is deprecated"):
        x.add_(-0.5, torch.tensor([4.0]))
    assert x.tolist() == [-1.0]


def test_zero_dimensional_values_stay_numpy_scalars() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = (x * 3 + 1) ** 2 / x - x
    assert type(y._array) is np.float32
    y.backward()
    assert type(x.grad._array) is np.float32  # type: ignore[union-attr]
