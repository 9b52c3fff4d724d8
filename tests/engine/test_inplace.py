"""In-place writes and views: what is refused, what the graph becomes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from tests.engine.gradients import check_gradients


def leaf(value: object) -> torch.Tensor:
    return torch.tensor(value, requires_grad=True)


def graph(node: Any) -> str:
    if node is None:
        return "None"
    inner = ",".join(graph(n) for n, _ in node.next_functions)
    return type(node).__name__ + (f"({inner})" if inner else "")


def test_a_write_puts_a_new_node_on_top() -> None:
    x = leaf(2.0)
    y = x * 3
    old = y.grad_fn
    y.add_(1.0)
    assert graph(y.grad_fn) == "AddBackward0(MulBackward0(AccumulateGrad,None),None)"
    assert y.grad_fn.next_functions[0][0] is old and y._version == 1


def test_a_write_through_a_view_goes_through_copy_slices() -> None:
    x = leaf([1.0, 2.0, 3.0, 4.0])
    y = x * 1
    view = y.view(2, 2)
    view.mul_(2.0)
    assert graph(y.grad_fn) == "CopySlices(MulBackward0(AccumulateGrad,None),None)"
    assert graph(view.grad_fn) == "AsStridedBackward0(CopySlices(MulBackward0(AccumulateGrad,None),None))"
    y.backward(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    assert x.grad.tolist() == [2.0, 4.0, 6.0, 8.0]


def test_a_write_to_the_base_renews_the_view() -> None:
    x = leaf([1.0, 2.0])
    y = x * 1
    view = y[0]
    y.mul_(3.0)
    assert graph(view.grad_fn) == "AsStridedBackward0(MulBackward0(MulBackward0(AccumulateGrad,None),None))"
    view.backward()
    assert x.grad.tolist() == [3.0, 0.0]


def test_writing_a_gradient_into_a_plain_tensor_makes_it_part_of_the_graph() -> None:
    target, x = torch.zeros(2), leaf(5.0)
    target[0] = x
    assert target.requires_grad and not target.is_leaf
    assert graph(target.grad_fn) == "CopySlices(None,AccumulateGrad)"
    target.sum().backward()
    assert x.grad.item() == 1.0


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda x: x.add_(1), "a leaf Variable that requires grad is being used in an in-place operation."),
        (
            lambda x: x[0].mul_(2),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
        ),
        (lambda x: (x * 1).unbind()[0].add_(1), "Output 0 of Unbind is a view and is being modified inplace."),
        (
            lambda x: (x * 1).expand(3, 2).add_(1),
            "unsupported operation: more than one element of the written-to tensor",
        ),
        (lambda x: (x * 1).add_(torch.ones(2, 2)), "output with shape [2] doesn't match the broadcast shape [2, 2]"),
    ],
)
def test_what_must_not_be_written_is_refused(write: Any, text: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        write(leaf([1.0, 2.0]))
    assert str(caught.value).startswith(text)


def test_a_saved_tensor_that_was_written_is_noticed() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match=r"\[torch.FloatTensor \[3\]\], which is output 0 of Exp, is at version 1"):
        y.sum().backward()


def test_detach_shares_the_version_counter_and_data_does_not() -> None:
    x = leaf([1.0, 2.0])
    y = x * x
    x.data.mul_(10)
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 40.0]
    z = (x * 1).pow(2)
    saved = z.grad_fn._saved_self
    saved.detach().zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_retain_grad_follows_the_tensor_through_a_write() -> None:
    y = leaf(1.0) * 3
    y.retain_grad()
    y.mul_(5)
    y.backward()
    assert y.grad.item() == 1.0


def _numbers(x: Any) -> Any:
    return torch.view_as_complex(x * 1)


def _pairs(z: Any) -> Any:
    return torch.view_as_real(z)


X = np.array([[[0.4, -1.1], [0.8, 0.5]], [[-0.3, 0.9], [1.2, 0.7]]])
FACTOR = np.array([0.6, -1.3])


def _written(write: Any) -> Any:
    """The parts of a complex matrix that `write` changed through a view."""

    def f(x: Any, factor: Any) -> Any:
        z = _numbers(x) * 1
        write(z, factor)
        return _pairs(z * z)

    return f


@pytest.mark.parametrize(
    "write",
    [
        lambda z, factor: z.real.mul_(factor),
        lambda z, factor: z.imag.mul_(factor),
        lambda z, factor: z.diagonal().real.mul_(factor),
        lambda z, factor: z[1].imag.mul_(factor),
        lambda z, factor: _pairs(z).mul_(factor),
        lambda z, factor: _pairs(z.t())[1:, :, 1].mul_(factor),
        lambda z, factor: _pairs(z).view(2, 4)[:, 1:3].mul_(factor),
        lambda z, factor: torch.view_as_complex(_pairs(z)[1:]).real.mul_(factor),
        lambda z, factor: (z.imag.mul_(factor), z.real.add_(factor), z.mul_(2.0)),
    ],
)
def test_a_write_through_the_parts_of_complex_numbers(write: Any) -> None:
    check_gradients(_written(write), X, FACTOR)


@pytest.mark.parametrize("read", [lambda z: z.real, lambda z: z.t()[1].imag, lambda z: _pairs(z[0])[1:]])
def test_parts_of_complex_numbers_see_a_later_write_to_the_whole(read: Any) -> None:
    def f(x: Any, factor: Any) -> Any:
        z = _numbers(x) * 1
        parts = read(z)
        z.mul_(factor)
        return parts * parts

    check_gradients(f, X, FACTOR)


def test_a_write_through_a_view_of_pairs() -> None:
    def f(x: Any) -> Any:
        y = x * 1
        z = torch.view_as_complex(y[1:])
        z.mul_(0.5 + 2j)
        return y * y, z.real

    check_gradients(f, X)


def test_a_view_of_parts_names_the_steps_to_it() -> None:
    z = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True) * 1
    part = z.diagonal().real
    part.mul_(0.5)
    whole = "CopySlices(MulBackward0(AccumulateGrad,None),None)"
    assert graph(z.grad_fn) == whole
    assert graph(part.grad_fn) == f"AsStridedBackward0(ViewAsRealBackward0(AsStridedBackward0({whole})))"
    pairs = torch.view_as_real(z)
    z.mul_(2.0)
    assert graph(pairs.grad_fn) == f"ViewAsRealBackward0(MulBackward0({whole},None))"


def test_the_bytes_of_a_tensor_are_no_view_of_it() -> None:
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    y, factor = x * 1, torch.ones(4, requires_grad=True)
    halves = y.view(torch.float32)
    assert halves._base is None and not halves.requires_grad
    halves.mul_(factor)
    assert graph(halves.grad_fn) == "MulBackward0(None,AccumulateGrad)" and halves._version == y._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0] and factor.grad is None
