"""Tensors as Python values, other types, sizes and strides: answers as recorded from PyTorch."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import engine.torch as torch
from engine import settings
from tests.engine.statements import answer, statements


@pytest.mark.parametrize(("statement", "expected"), statements("conversion") + statements("keywords"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


def test_arrays_share_memory() -> None:
    x = torch.zeros(2)
    x.numpy()[0] = 1
    assert x.tolist() == [1, 0] and x._version == 0
    assert np.asarray(x).tolist() == [1, 0]


def test_deep_copies_are_leaves_with_their_gradient() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    twin = copy.deepcopy(x)
    assert twin is not x and twin.requires_grad and twin.grad.tolist() == [2, 4]
    twin.data[0] = 9
    assert x.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(x * 1)


def test_a_shared_tensor_stays_shared_in_a_deep_copy() -> None:
    x = torch.ones(1)
    first, second = copy.deepcopy([x, x])
    assert first is second


def test_storages_are_those_of_the_base() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert x[1].storage_offset() == 3 and x[1].untyped_storage().size() == 24
    assert x[1].data_ptr() - x.data_ptr() == 12
    assert x.storage().tolist() == [0, 1, 2, 3, 4, 5]


def test_other_memory_formats() -> None:
    x = torch.arange(24.0).reshape(1, 2, 3, 4)
    last = x.contiguous(memory_format=torch.channels_last)
    assert last.stride() == (24, 1, 8, 2) and last.tolist() == x.tolist()
    assert last.is_contiguous(memory_format=torch.channels_last) and not last.is_contiguous()
    assert last.contiguous().stride() == (24, 12, 4, 1)
