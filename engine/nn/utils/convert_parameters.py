"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from engine import errors
from engine.composites.joins import cat
from engine.core.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters flattened, one after the other."""
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give each parameter its part of the vector as its value."""
    if not isinstance(vec, Tensor):
        raise errors.vector_type(vec)
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
