"""Views: shapes, strides, graphs and refusals as recorded from PyTorch; gradients of every row; shared memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine import settings
from engine.core.registry import ops
from engine.core.tensor import Tensor
from tests.engine.gradients import Case, M, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements

CUBE = np.arange(24.0).reshape(2, 3, 4) / 7 - 1.3
ROWS: dict[str, Case] = {
    "alias": (lambda x: x[...], M),
    "_fw_primal": (lambda x: ops._fw_primal(x), M),
    "view": (lambda x: x.view(3, 2), M),
    "_reshape_alias": (lambda x: ops._reshape_alias(x, (6,)), M),
    "_unsafe_view": (lambda x: ops._unsafe_view(x, (3, -1)), M),
    "expand": (lambda x: x.expand(4, 2, 3), M[:, :1]),
    "permute": (lambda x: x.permute(2, 0, -2), CUBE),
    "transpose": (lambda x: x.transpose(0, -1), CUBE),
    "t": (lambda x: x.t(), M),
    "unsqueeze": (lambda x: x.unsqueeze(-2), M),
    "squeeze": (lambda x: x.squeeze(), CUBE[:1, :, :1]),
    "squeeze_dim": (lambda x: x.squeeze(-1), CUBE[:1, :, :1]),
    "squeeze_dims": (lambda x: x.squeeze((0, 1)), CUBE[:1, :, :1]),
    "select": (lambda x: x.select(1, -1), CUBE),
    "select_backward": (lambda x: ops.select_backward(x, (2, 3, 4), 1, -2), CUBE[:, 0]),
    "slice": (lambda x: x[:, 1:3], CUBE),
    "slice_backward": (lambda x: ops.slice_backward(x, (2, 3, 4), 2, 0, 4, 3), CUBE[:, :, :2]),
    "diagonal": (lambda x: x.diagonal(1, 2, 0), CUBE),
    "diagonal_copy": (lambda x: torch.diag(x, -1), M),
    "diagonal_backward": (lambda x: ops.diagonal_backward(x, (3, 3), 0, 0, 1), M[0]),
    "unfold": (lambda x: x.unfold(2, 3, 1), CUBE),
    "unfold_backward": (lambda x: ops.unfold_backward(x, (4,), 0, 3, 1), M),
    "as_strided": (lambda x: x.as_strided((2, 2), (1, 2), 1), M),
}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("views") | rows_of("parts") | rows_of("strided") == set(ROWS)


@pytest.mark.parametrize("identifier", sorted(rows_of("copies")))
def test_copies_answer_as_the_views_do(identifier: str) -> None:
    if identifier == "narrow_copy":
        check_row(identifier, (lambda x: torch.narrow_copy(x, 1, 1, 2), M))
        return
    base, _, overload = identifier.partition("_copy")
    view = base + overload
    arguments: dict[str, Any] = {
        "as_strided": ((2, 2), (1, 2)),
        "expand": ((2, 2, 3),),
        "permute": ((1, 0),),
        "select": (0, 1),
        "slice": (1, 0, 2),
        "split": (2,),
        "split_with_sizes": ((1, 1),),
        "squeeze_dim": (0,),
        "squeeze_dims": ((0,),),
        "transpose": (0, 1),
        "unfold": (1, 2, 1),
        "unsqueeze": (0,),
        "view": ((6,),),
    }
    check_row(identifier, (lambda x: getattr(ops, identifier)(x, *arguments.get(view, ())), M))
    x = torch.arange(6.0).reshape(2, 3)
    copied, seen = (getattr(ops, name)(x, *arguments.get(view, ())) for name in (identifier, view))
    for copy, part in zip(*((t,) if isinstance(t, Tensor) else t for t in (copied, seen)), strict=True):
        assert copy.tolist() == part.tolist() and not copy._is_view() and part._is_view()


@pytest.mark.parametrize(("statement", "expected"), statements("views"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[0],
        lambda x: x[0, 1],
        lambda x: x[:, 1],
        lambda x: x[..., None],
        lambda x: x.view(6),
        lambda x: x.t(),
        lambda x: x.T,
        lambda x: x.diagonal(),
        lambda x: x.unfold(1, 2, 1),
        lambda x: x.squeeze(),
        lambda x: x.as_strided((2,), (1,)),
        lambda x: x.unbind()[1],
        lambda x: x.split(1)[0],
        lambda x: x.flatten(),
        lambda x: x.reshape(3, 2),
        lambda x: x.detach(),
        lambda x: x.expand(2, 2, 3)[0],
        lambda x: x.movedim(0, 1),
        lambda x: x.view(torch.int32),
    ],
)
def test_views_share_memory_and_the_version_counter(view: Any) -> None:
    base = torch.arange(6.0).reshape(2, 3).clone()
    seen = view(base)
    before = seen.tolist()
    base.add_(1)
    assert seen._version == base._version == 1
    assert seen.tolist() != before
    seen.zero_()
    assert base._version == 2
    assert 0 in base.tolist()[0] + base.tolist()[1]


def test_a_view_of_a_0d_tensor_writes_to_it() -> None:
    x = torch.tensor(3.0)
    x.view(1)[0] = 4
    assert x.item() == 4


def test_reshape_copies_only_when_it_must() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert x.reshape(3, 2)._base is x._base
    assert x.t().reshape(6)._base is None
    assert x[:, :2].reshape(2, 2, 1)._is_view()
    assert x.contiguous() is x
    assert x.t().contiguous().is_contiguous()


def test_overlapping_windows_add_up() -> None:
    check_gradients(lambda x: x.as_strided((2, 2), (1, 1)), M[0])
    check_gradients(lambda x: x.expand(2, 2, 3).as_strided((2, 2), (1, 2)), M)


def test_a_transposed_copy_keeps_its_strides() -> None:
    x = torch.arange(6.0).reshape(2, 3).t()
    assert x.clone().stride() == (1, 3)
    assert (x * 2).stride() == (1, 3)
    assert x.clone(memory_format=torch.contiguous_format).stride() == (2, 1)


def test_nothing_is_recorded_without_grad() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    with torch.no_grad():
        row = x[0]
    assert isinstance(row, Tensor) and row.requires_grad and row.grad_fn is None
    assert (row * 2).grad_fn.next_functions == ((None, 0), (None, 0))
