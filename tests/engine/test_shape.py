"""Copies, joins, splits and rearrangements: answers as recorded from PyTorch, gradients of every row."""

from __future__ import annotations

import pytest

import engine.torch as torch
from engine import settings
from engine.core.registry import ops
from engine.limits import LimitExceeded, Limits, metered
from tests.engine.gradients import A, B, Case, M, N, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements

ROWS: dict[str, Case] = {
    "clone": (lambda x: x.clone(), M),
    "to_dtype": (lambda x: ops.to_dtype(x, x._array.dtype), M),
    "cat": (lambda x, y: torch.cat([x, y, x], 1), M, N),
    "stack": (lambda x, y: torch.stack([x, y], -1), M, N),
    "block_diag": (lambda x, y: torch.block_diag(x, y), M, A),
    "unbind": (lambda x: x.unbind(1), M),
    "split": (lambda x: x.split(2, 1), M),
    "unsafe_split": (lambda x: torch.unsafe_split(x, 2, 1), M),
    "split_with_sizes": (lambda x: x.split([1, 2], 1), M),
    "unsafe_split_with_sizes": (lambda x: torch.unsafe_split_with_sizes(x, [1, 2], 1), M),
    "flip": (lambda x: x.flip(0, 1), M),
    "roll": (lambda x: x.roll((1, 2), (0, 1)), M),
    "rot90": (lambda x: x.rot90(), M),
    "repeat": (lambda x: x.repeat(2, 1, 3), M),
    "tril": (lambda x: x.tril(-1), M),
    "triu": (lambda x: x.triu(1), M),
    "diag_embed": (lambda x: torch.diag_embed(x, 1), M),
    "constant_pad_nd": (lambda x: torch.constant_pad_nd(x, (1, -1, 0, 2), 3.0), M),
}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("shape") == set(ROWS)


@pytest.mark.parametrize(("statement", "expected"), statements("shape"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


@pytest.mark.parametrize(
    "f",
    [
        lambda x: torch.hstack([x, x]),
        lambda x: torch.vstack([x, x[0]]),
        lambda x: torch.dstack([x, x]),
        lambda x: torch.column_stack([x[0], x[1]]),
        lambda x: torch.tile(x, (2,)),
        lambda x: x.repeat_interleave(2),
        lambda x: x.repeat_interleave(2, 1),
        lambda x: x.repeat_interleave(torch.tensor([1, 0, 2]), 1),
        lambda x: torch.cartesian_prod(x[0], x[1]),
        lambda x: torch.combinations(x[0]),
        lambda x: x.ravel(),
        lambda x: torch.meshgrid(x[0], x[1], indexing="ij"),
        lambda x: x.chunk(2, 1)[1],
        lambda x: x.unbind()[0],
        lambda x: torch.tensor_split(x, [1], 1),
        lambda x: x.sum_to_size(1, 3),
        lambda x: x.diagflat(),
        lambda x: torch.movedim(x, 0, 1),
    ],
)
def test_composites_have_gradients(f: object) -> None:
    check_gradients(f, M)  # type: ignore[arg-type]


def test_unused_parts_count_as_zeros() -> None:
    x = torch.ones(4, requires_grad=True)
    x.split([1, 3])[1].sum().backward()
    assert x.grad.tolist() == [0, 1, 1, 1]


def test_joined_dtypes_are_promoted_and_gradients_come_back_in_each_own() -> None:
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, dtype=torch.float64, requires_grad=True)
    joined = torch.cat([x, y, torch.tensor([1])])
    assert joined.dtype is torch.float64
    joined.sum().backward()
    assert x.grad.dtype is torch.float32 and y.grad.dtype is torch.float64


def test_growth_is_metered() -> None:
    x = torch.ones(100)
    with metered(Limits(tensor_elements=1000)), pytest.raises(LimitExceeded):
        x.repeat(100)
    with metered(Limits(tensor_elements=1000)), pytest.raises(LimitExceeded):
        torch.diag(x)


def test_operands_of_a_join_are_tensors() -> None:
    for value in (A, [1.0], None):
        with pytest.raises(TypeError):
            torch.cat([torch.ones(1), value])
    assert B.size
