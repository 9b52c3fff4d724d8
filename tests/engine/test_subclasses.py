"""Tensors as objects of classes derived from Tensor."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import engine.torch as torch
from engine import nn


class Derived(torch.Tensor):
    """A class that adds nothing."""


class Named(nn.Parameter):
    """A parameter with a name."""

    tag: str | None

    def __new__(cls, data: Any = None, requires_grad: bool = True, tag: str | None = None) -> Any:
        made: Any = super().__new__(cls, data, requires_grad)
        made.tag = tag
        return made


def test_a_tensor_under_another_class_passes_its_gradient_on() -> None:
    leaf = torch.ones(2, requires_grad=True)
    derived = leaf.as_subclass(Derived)
    assert type(derived) is Derived and type(derived.grad_fn).__name__ == "AliasBackward0"
    (derived * 3).sum().backward()
    assert leaf.grad.tolist() == [3.0, 3.0]


def test_the_constructor_of_a_tensor_takes_another_with_its_history() -> None:
    leaf = torch.ones(2, requires_grad=True)
    for made in (torch.Tensor(leaf), torch.FloatTensor(leaf), Derived(leaf)):
        assert type(made.grad_fn).__name__ == "AliasBackward0"
    with torch.no_grad():
        assert torch.Tensor(leaf).is_leaf


def test_make_subclass_makes_leaves_on_the_same_memory() -> None:
    source = torch.ones(2, requires_grad=True)
    made = torch.Tensor._make_subclass(Derived, source)
    assert type(made) is Derived and made.is_leaf and not made.requires_grad and made.data_ptr() == source.data_ptr()
    assert torch.Tensor._make_subclass(Derived, source, True).requires_grad


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda x: x.as_subclass(5), "cls must be a type (got int)"),
        (lambda x: x.as_subclass(int), "Creating a Tensor subclass from a class that does not inherit from Tensor"),
        (lambda x: torch.Tensor._make_subclass(int, x), "Creating a Tensor subclass from a class that does not"),
        (lambda x: torch.Tensor._make_subclass(Derived, [1]), "argument 'data' (position 2) must be Tensor, not list"),
        (lambda x: torch.Tensor._make_subclass(Derived, x.long(), True), "Only Tensors of floating point and complex"),
    ],
)
def test_what_is_no_class_of_tensors_is_refused(use: Any, text: str) -> None:
    with pytest.raises((TypeError, RuntimeError)) as raised:
        use(torch.ones(2))
    assert text in str(raised.value)


def test_a_copy_of_a_derived_parameter_is_made_by_its_class() -> None:
    made = copy.deepcopy(Named(torch.ones(2), tag="first"))
    assert type(made) is Named and made.tag is None and made.requires_grad


def test_buffers_are_known_by_their_class() -> None:
    buffer = nn.Buffer(torch.ones(1))
    assert isinstance(buffer, nn.Buffer) and type(buffer) is torch.Tensor
    assert not isinstance(torch.ones(1), nn.Buffer)
