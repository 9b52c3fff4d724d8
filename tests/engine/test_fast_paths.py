"""Shortcuts for common cases give what the long way gives."""

import math

import numpy as np
import pytest
from scipy import special

import engine.torch as torch
from engine.autograd import inplace
from engine.kernels.activation import LARGE, _normal, gelu_backward_kernel, gelu_kernel, passed, relu_kernel
from engine.kernels.linalg import product
from engine.kernels.norm import layer_norm_backward_kernel, layer_norm_kernel
from engine.kernels.pointwise import sigmoid_backward_kernel, tanh_backward_kernel
from engine.kernels.softmax import _columns, _total_of_columns, log_softmax_kernel, softmax_kernel
from engine.optim.optimizer import add_scaled, fused

random = np.random.RandomState(0)


def singles(*shape: int) -> np.ndarray:
    return random.randn(*shape).astype(np.float32)


def test_two_leaves_never_share_a_gradient() -> None:
    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    (a + b).backward(torch.ones(3))
    assert not np.shares_memory(a.grad._array, b.grad._array)


def test_a_leaf_does_not_take_over_the_gradient_it_is_given() -> None:
    x, given = torch.ones(3, requires_grad=True), torch.ones(3)
    (x * 1).backward(given)
    x.backward(given)
    assert not np.shares_memory(x.grad._array, given._array)


def test_a_leaf_does_not_take_over_what_a_hook_kept() -> None:
    x, kept = torch.ones(2, 3, requires_grad=True), []
    y = x.t()
    y.register_hook(kept.append)
    (y * 2).sum().backward()
    assert not np.shares_memory(x.grad._array, kept[0]._array)


def test_a_leaf_does_not_take_over_a_saved_tensor() -> None:
    x, factor = torch.ones(3, requires_grad=True), torch.tensor([1.0, 2.0, 3.0])
    (x * factor).sum().backward()
    x.grad.zero_()
    assert factor.tolist() == [1.0, 2.0, 3.0]


def test_the_gradient_of_a_weight_lies_as_the_weight() -> None:
    layer = torch.nn.Linear(5, 4)
    layer(torch.ones(3, 5)).sum().backward()
    assert layer.weight.grad.stride() == layer.weight.stride() == (5, 1)


WRITES = {
    "add a number": lambda x, y: x.add_(0.1),
    "add an integer": lambda x, y: x.add_(3),
    "add a large integer": lambda x, y: x.add_((1 << 24) + 1),
    "add a share": lambda x, y: x.add_(y, alpha=2),
    "add itself": lambda x, y: x.add_(x),
    "subtract": lambda x, y: x.sub_(y),
    "multiply": lambda x, y: x.mul_(y[:1]),
    "divide": lambda x, y: x.div_(y),
    "divide by a number": lambda x, y: x.div_(3),
    "negate": lambda x, y: x.neg_(),
    "addcmul": lambda x, y: x.addcmul_(y, y, value=0.5),
    "lerp": lambda x, y: x.lerp_(y, 0.25),
    "fill": lambda x, y: x.fill_(2),
    "fill with an entry": lambda x, y: x.fill_(y[1]),
    "zero": lambda x, y: x.zero_(),
    "copy": lambda x, y: x.copy_(y),
    "copy a double": lambda x, y: x.copy_(y.double()),
    "an entry": lambda x, y: x.__setitem__(1, y[0]),
    "a row that overlaps": lambda x, y: x[1:].add_(x[:-1]),
    "a wrong shape": lambda x, y: x.add_(torch.ones(7)),
    "a wrong type": lambda x, y: x.add_(1j),
    "an expanded tensor": lambda x, y: x[:1].expand(3).add_(1),
    "an unknown option": lambda x, y: x.add_(y, beta=2),
    "a view of what is needed": lambda x, y: ((x * x).sum(), x.add_(1)),
}


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.int64, torch.float16, torch.bool])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_is_the_same_by_the_long_way(write: object, kind: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def written(graph: bool) -> object:
        x, y = torch.tensor([1, 2, 3]).to(kind), torch.tensor([3, 1, 2]).to(kind)
        if graph:
            y.requires_grad_()
        try:
            write(x, y)
        except Exception as error:
            return type(error), str(error), x.tolist(), x._version
        return x.tolist(), x.dtype, x._version, x.requires_grad, x.stride(), type(x.grad_fn)

    graphs = [False, True] if kind.is_floating_point else [False]
    short = [written(graph) for graph in graphs]
    monkeypatch.setattr(inplace, "_everyday", lambda *call: False)
    assert short == [written(graph) for graph in graphs]


@pytest.mark.parametrize("shape", [(1, 300, 50), (7, 784, 256), (64, 256, 128), (64, 784, 127), (65, 784, 256)])
def test_a_product_is_the_same_with_the_weight_on_either_side(shape: tuple[int, int, int]) -> None:
    rows, inner, columns = shape
    x, weight = singles(rows, inner), singles(columns, inner)
    found = product(x, weight.T)
    assert found.flags.c_contiguous
    np.testing.assert_allclose(found, x @ weight.T, rtol=1e-5, atol=1e-4)


def test_masks_let_no_nan_or_minus_zero_through() -> None:
    g = np.array([math.nan, math.inf, -1.0, -2.0], np.float32)
    for dtype in (np.float32, np.float64, np.float16):
        out = passed(np.array([False, False, False, True]), g.astype(dtype))
        assert out.tolist() == [0, 0, 0, -2] and not np.signbit(out[:3]).any() and out.dtype == dtype


def test_large_arrays_are_rectified_like_small_ones() -> None:
    x = singles(2 * LARGE)
    x[:3] = math.nan, -math.inf, math.inf
    parts = np.concatenate([relu_kernel(part) for part in np.split(x, 16)])
    np.testing.assert_array_equal(relu_kernel(x), parts)


def test_the_large_gelu_is_within_a_float_of_the_exact_one() -> None:
    x = np.linspace(-9, 9, 3 * LARGE, dtype=np.float32)
    exact = x.astype(np.float64)
    slope = special.ndtr(exact) + exact * np.exp(-exact * exact / 2) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(_normal(x)[0], special.ndtr(exact), atol=1.5e-7)
    np.testing.assert_allclose(gelu_kernel(x, "none"), exact * special.ndtr(exact), rtol=1e-6, atol=5e-7)
    np.testing.assert_allclose(gelu_backward_kernel(np.ones_like(x), x, "none"), slope, rtol=1e-6, atol=5e-7)
    ends = np.full(LARGE + 1, math.inf, np.float32)
    assert _normal(ends)[0][0] == 1 and _normal(-ends)[0][0] == 0


@pytest.mark.parametrize("kernel", [softmax_kernel, log_softmax_kernel])
@pytest.mark.parametrize("extent", [5, 8, 10, 16, 17, 40])
def test_many_rows_give_the_shares_that_each_row_gives(kernel: object, extent: int) -> None:
    rows = singles(64, extent)
    together = kernel(rows, 1)  # type: ignore[operator]
    alone = np.stack([kernel(row, 0) for row in rows])  # type: ignore[operator]
    np.testing.assert_allclose(together, alone, rtol=3e-7, atol=3e-7)
    assert together.flags.c_contiguous
    if extent >= 8:
        totals = [_total_of_columns(_columns(row[None]), 16)[0] for row in rows]
        assert _total_of_columns(_columns(rows), 16).tolist() == totals


def test_the_gradient_of_the_bias_of_a_large_layer_is_the_sum_of_its_rows() -> None:
    g, b = singles(64, 100), torch.zeros(100, requires_grad=True)
    (torch.zeros(64, 100) + b).backward(torch.from_numpy(g))
    np.testing.assert_allclose(b.grad._array, g.astype(float).sum(0), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("spread", [1, 15, 40, 1e30])
def test_shares_are_right_whether_or_not_the_maximum_is_taken_off_first(spread: float) -> None:
    rows = singles(200, 9)
    rows *= spread / np.abs(rows).max()
    with np.errstate(over="ignore"):
        shares = softmax_kernel(rows, 1)
    np.testing.assert_allclose(shares, special.softmax(rows.astype(float), 1), rtol=4e-6, atol=1e-38)
    rows[3, 4], rows[5, :] = -np.inf, np.nan
    shares = softmax_kernel(rows, 1)
    assert shares[3, 4] == 0 and np.isnan(shares[5]).all() and not np.isnan(shares[[3, 4, 6]]).any()


def test_the_layer_norm_of_many_rows_has_the_gradients_of_its_formula() -> None:
    x, g, weight = singles(50, 24), singles(50, 24), singles(24)
    out, mean, rstd = layer_norm_kernel(x, (24,), weight, None, 1e-5)
    wide = x.astype(float)
    normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(out, normal * weight, rtol=1e-5, atol=1e-6)
    found = layer_norm_backward_kernel(g, x, (24,), mean, rstd, weight, None, (True, True, True))
    v = g * weight.astype(float)
    slope = v - v.mean(1, keepdims=True) - normal * (v * normal).mean(1, keepdims=True)
    np.testing.assert_allclose(found[0], slope / np.sqrt(wide.var(1, keepdims=True) + 1e-5), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[1], (g * normal).sum(0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[2], g.sum(0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("size", [1, 3, 31, 1000, 10_001])
def test_a_step_is_rounded_once(size: int) -> None:
    x, y = singles(size), singles(size)
    expected = (x.astype(np.float64) * np.float32(0.3) + y).astype(np.float32)
    np.testing.assert_array_equal(fused(x, 0.3, y), expected)
    assert add_scaled(y, x, 0.3)
    np.testing.assert_array_equal(y, expected)


def test_blas_is_not_asked_where_it_would_not_apply() -> None:
    x = singles(4, 4)
    for target, step in ((x.T, x), (x, x.astype(np.float64)), (x[:, :2], x[:, 2:]), (np.float32(1), np.float32(1))):
        assert not add_scaled(target, step, 0.5)


@pytest.mark.parametrize("shape", [(8, 64), (5, 7), (1,)])
def test_slopes_of_arrays_in_order_are_those_of_any(shape: tuple[int, ...]) -> None:
    g, squashed = singles(*shape), np.tanh(singles(*shape) * 3)
    share = squashed * squashed
    for slope, result in ((tanh_backward_kernel, squashed), (sigmoid_backward_kernel, share)):
        given = g.copy(), result.copy()
        other = np.repeat(g[..., None], 2, axis=-1)[..., 0], np.repeat(result[..., None], 2, axis=-1)[..., 0]
        assert slope(*given).tobytes() == np.ascontiguousarray(slope(*other)).tobytes()
        assert given[0].tobytes() == g.tobytes() and given[1].tobytes() == result.tobytes()


def test_numbers_that_are_kept_are_told_apart() -> None:
    x = torch.tensor([1.0, -2.0])
    for number in (0.0, -0.0, 1, 1.0, 3, math.inf, 2**64 - 1):
        expected = [math.copysign(1, v) for v in (x._array * np.float32(number)).tolist()]
        assert [math.copysign(1, v) for v in (x * number).tolist()] == expected
        assert (x * number)._array.tobytes() == (x._array * np.float32(number)).tobytes()
        assert (x.double() + number)._array.tobytes() == (x._array.astype(float) + float(number)).tobytes()
