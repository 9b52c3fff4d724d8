"""`einops`: patterns of axes as reshape, permute, reduce and expand of tensors, in the order that einops has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn.module import Module
from engine.program.arrays import Array, wrap
from engine.program.calls import call, callable_value
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import items
from engine.program.text import represent
from engine.program.values import Builtin

EINOPS_ERROR: Any = type("EinopsError", (EXCEPTIONS["RuntimeError"],), {"__module__": "einops"})
_REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")
_ELLIPSIS = "…"
Axis = str | int
"""A name, or a length without one."""


class Wrong(Exception):
    """What is wrong with a pattern, without the words about where."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pattern: its axes, each made of elementary ones."""

    axes: list[list[Axis]]
    dots_inside: bool

    @property
    def names(self) -> list[str]:
        return [axis for group in self.axes for axis in group if isinstance(axis, str)]


def _side(text: str) -> Side:
    if "." in text:
        if "..." not in text:
            raise Wrong("Expression may contain dots only inside ellipsis (...)")
        if text.count("...") != 1 or text.count(".") != 3:
            raise Wrong("Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor ")
        text = text.replace("...", _ELLIPSIS)
    axes: list[list[Axis]] = []
    group: list[Axis] | None = None
    seen: set[str] = set()
    dots_inside = False
    for word in text.replace("(", " ( ").replace(")", " ) ").replace(_ELLIPSIS, f" {_ELLIPSIS} ").split():
        if word == "(":
            if group is not None:
                raise Wrong("Axis composition is one-level (brackets inside brackets not allowed)")
            group = []
        elif word == ")":
            if group is None:
                raise Wrong("Brackets are not balanced")
            axes.append(group)
            group = None
        else:
            axis = _axis(word, seen)
            dots_inside |= axis == _ELLIPSIS and group is not None
            if group is not None:
                group += [] if axis == 1 else [axis]
            else:
                axes.append([] if axis == 1 else [axis])
    if group is not None:
        raise Wrong(f'Imbalanced parentheses in expression: "{text.replace(_ELLIPSIS, "...")}"')
    return Side(axes, dots_inside)


def _axis(word: str, seen: set[str]) -> Axis:
    odd = next((sign for sign in word if not (sign.isalnum() or sign in ("_", _ELLIPSIS))), None)
    if odd is not None:
        raise Wrong(f"Unknown character '{odd}'")
    if word.isdecimal():
        if int(word) < 1:
            raise Wrong(f"Anonymous axis should have positive length, not {int(word)}")
        return int(word)
    if word in seen:
        raise Wrong(f'Indexing expression contains duplicate dimension "{word}"')
    seen.add(word)
    if word != _ELLIPSIS:
        if not word.isidentifier():
            raise Wrong(f"Invalid axis identifier: {word}\nnot a valid python identifier")
        if word[0] == "_" or word[-1] == "_":
            raise Wrong(f"Invalid axis identifier: {word}\naxis name should should not start or end with underscore")
    return word


def _set(names: Any) -> str:
    """A set of names as Python shows it, in their order."""
    found = sorted(str(name) for name in names)
    return "{" + ", ".join(represent(name) for name in found) + "}"


def _check(operation: Any, left: Side, right: Side, pattern: str, sizes: dict[str, Any]) -> None:
    ours, theirs = set(left.names), set(right.names)
    numbers = any(isinstance(axis, int) for side in (left, right) for group in side.axes for axis in group)
    if _ELLIPSIS in theirs and _ELLIPSIS not in ours:
        raise Wrong(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left.dots_inside:
        raise Wrong(f"Ellipsis inside parenthesis in the left side is not allowed: {pattern}")
    if operation == "rearrange":
        if numbers:
            raise Wrong("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)")
        if ours ^ theirs:
            raise Wrong(f"Identifiers only on one side of expression (should be on both): {_set(ours ^ theirs)}")
    elif operation == "repeat":
        if ours - theirs:
            raise Wrong(f"Unexpected identifiers on the left side of repeat: {_set(ours - theirs)}")
        if theirs - ours - set(sizes):
            raise Wrong(f"Specify sizes for new axes in repeat: {_set(theirs - ours - set(sizes))}")
    elif callable_value(operation) or operation in _REDUCTIONS:
        if theirs - ours:
            raise Wrong(f"Unexpected identifiers on the right side of reduce {operation}: {_set(theirs - ours)}")
    else:
        raise Wrong(f"Unknown reduction {operation}. Expect one of {_REDUCTIONS}.")


def _spread(side: Side, count: int) -> list[list[Axis]]:
    """The axes with the ellipsis written out; inside brackets it is one axis."""
    dots: list[Axis] = [f"{_ELLIPSIS}{i}" for i in range(count)]
    axes: list[list[Axis]] = []
    for group in side.axes:
        if group == [_ELLIPSIS] and not side.dots_inside:
            axes += [[dot] for dot in dots]
        else:
            axes.append([axis for part in group for axis in (dots if part == _ELLIPSIS else [part])])
    return axes


def _lengths(left: list[list[Axis]], shape: tuple[int, ...], sizes: dict[str, Any]) -> dict[Axis, int]:
    """The length of every elementary axis."""
    known: dict[Axis, int] = {name: int(size) for name, size in sizes.items()}
    for index, (group, length) in enumerate(zip(left, shape, strict=True)):
        for place, axis in enumerate(group):
            if isinstance(axis, int):
                group[place] = name = f"{axis}-axis {index} {place}"
                known[name] = axis
        unknown = [axis for axis in group if axis not in known]
        if len(unknown) > 1:
            raise Wrong(f"Could not infer sizes for {_set(unknown)}")
        product = math.prod([known[axis] for axis in group if axis in known])
        if not unknown:
            if product != length:
                raise Wrong(f"Shape mismatch, {length} != {product}")
        elif length % max(1, product):
            raise Wrong(f"Shape mismatch, can't divide axis of length {length} in chunks of {product}")
        else:
            known[unknown[0]] = length // max(1, product)
    return known


def _reduced(x: Any, operation: Any, axes: tuple[int, ...]) -> Any:
    if not isinstance(operation, str):
        return call(operation, [x, axes], None)
    if operation == "mean" and not (x.is_floating_point() or x.is_complex()):
        raise NotImplementedError("reduce_mean is not available for non-floating tensors")
    if operation in ("sum", "mean"):
        return getattr(x, operation)(axes)
    if operation in ("min", "max"):
        return getattr(x, "a" + operation)(dim=axes)
    for axis in sorted(axes, reverse=True):
        x = getattr(x, operation)(dim=axis)
    return x


def _transform(x: Any, pattern: str, operation: Any, sizes: dict[str, Any]) -> Any:
    halves = pattern.split("->")
    if len(halves) != 2:
        raise ValueError(
            "not enough values to unpack (expected 2, got 1)"
            if len(halves) < 2
            else "too many values to unpack (expected 2)"
        )
    left, right = map(_side, halves)
    _check(operation, left, right, pattern, sizes)
    if _ELLIPSIS in left.names:
        others = len(left.axes) - 1
        if x.ndim < others:
            raise Wrong(f"Wrong shape: expected >={others} dims. Received {x.ndim}-dim tensor.")
    elif x.ndim != len(left.axes):
        raise Wrong(f"Wrong shape: expected {len(left.axes)} dims. Received {x.ndim}-dim tensor.")
    dots = x.ndim - len(left.axes) + 1 if _ELLIPSIS in left.names else 0
    given, wanted = _spread(left, dots), _spread(right, dots)
    unused = next((name for name in sizes if name not in left.names and name not in right.names), None)
    if unused is not None:
        raise Wrong(f"Axis {unused} is not used in transform")
    known = _lengths(given, tuple(x.shape), sizes)
    before = [axis for group in given for axis in group]
    for index, group in enumerate(wanted):
        for place, axis in enumerate(group):
            if isinstance(axis, int):
                group[place] = name = f"{axis}-axis of the result {index} {place}"
                known[name] = axis
    after = [axis for group in wanted for axis in group]
    if any(len(group) != 1 for group in given):
        x = x.reshape([known[axis] for axis in before])
    kept = [before.index(axis) for axis in after if axis in before]
    gone = [place for place, axis in enumerate(before) if axis not in after]
    order = kept + gone
    if order != list(range(len(order))):
        x = x.permute(order)
    if gone:
        x = _reduced(x, operation, tuple(range(len(kept), len(order))))
    added = [place for place, axis in enumerate(after) if axis not in before]
    if added:
        for place in added:
            x = x.unsqueeze(place)
        x = x.expand([known[axis] if place in added else -1 for place, axis in enumerate(after)])
    if any(len(group) != 1 for group in wanted):
        x = x.reshape([math.prod([known[axis] for axis in group]) for group in wanted])
    return x


def _applied(tensor: Any, pattern: Any, operation: Any, sizes: dict[str, Any]) -> Any:
    meter.charge(4 + len(pattern))
    meter.check_length(64 * len(pattern))
    if isinstance(tensor, list | tuple):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        parts = list(items(tensor))
        tensor = torch.stack([_tensor(part) for part in parts])
        array = not isinstance(parts[0], Tensor)
    else:
        array = isinstance(tensor, Array | np.ndarray)
        tensor = _tensor(tensor)
    name = operation if isinstance(operation, str) else represent(operation)
    try:
        result = _transform(tensor, pattern, operation, sizes)
    except Wrong as wrong:
        message = f" Error while processing {name}-reduction pattern {_quoted(pattern)}."
        message += f"\n Input tensor shape: {tensor.shape}. Additional info: {represent(sizes)}.\n {wrong}"
        raise host_exception(EINOPS_ERROR(message)) from None
    return wrap(result.numpy()) if array else result


def _quoted(pattern: str) -> str:
    return f'"{pattern}"'


def _tensor(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Array):
        value = value._array
    if isinstance(value, np.ndarray):
        return Tensor._from_array(value)
    raise RuntimeError(f"Tensor type unknown to einops {represent(type(value))}")


def _rearrange(tensor: Any, pattern: str, **axes_lengths: Any) -> Any:
    return _applied(tensor, pattern, "rearrange", axes_lengths)


def _reduce(tensor: Any, pattern: str, reduction: Any, **axes_lengths: Any) -> Any:
    return _applied(tensor, pattern, reduction, axes_lengths)


def _repeat(tensor: Any, pattern: str, **axes_lengths: Any) -> Any:
    return _applied(tensor, pattern, "repeat", axes_lengths)


def _parse_shape(x: Any, pattern: str) -> dict[str, int]:
    names, shape = pattern.split(), tuple(_tensor(x).shape)
    if "..." in names:
        at = names.index("...")
        names[at : at + 1] = ["_"] * (len(shape) - len(names) + 1)
    if len(names) != len(shape):
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {_tensor(x).shape}")
    return {name: size for name, size in zip(names, shape, strict=True) if name != "_"}


def _einsum(*operands: Any) -> Any:
    *tensors, pattern = operands
    if not isinstance(pattern, str):
        raise TypeError(
            "The last argument passed to `einops.einsum` must be a string, representing the einsum pattern."
        )
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    letters: dict[str, str] = {}

    def short(text: str) -> str:
        found = []
        for name in text.split():
            if name != "...":
                letters.setdefault(name, chr(ord("a") + len(letters)) if len(letters) < 26 else "?")
            found.append(letters.get(name, name))
        return "".join(found)

    meter.charge(4 + len(pattern))
    left, _, right = pattern.partition("->")
    inputs = ",".join(map(short, left.split(",")))
    known = set(letters)
    outside = next((name for name in right.split() if name not in known and name != "..."), None)
    if outside is not None:
        raise host_exception(EINOPS_ERROR(f"Unknown axis {outside} on right side of einsum {pattern}."))
    return torch.einsum(f"{inputs}->{short(right)}", *map(_tensor, tensors))


def _packing(name: str, pattern: str) -> tuple[int, int]:
    """How many axes stand before and after the `*` of a pattern."""
    meter.charge(4 + len(pattern))
    axes = pattern.split()
    if len(axes) != len(set(axes)):
        raise host_exception(EINOPS_ERROR(f'Duplicates in axes names in {name}(..., "{pattern}")'))
    if "*" not in axes:
        raise host_exception(EINOPS_ERROR(f'No *-axis in {name}(..., "{pattern}")'))
    for axis in axes:
        if axis != "*" and (not axis.isidentifier() or "_" in (axis[0], axis[-1])):
            raise host_exception(EINOPS_ERROR(f'Invalid axis name {axis} in {name}(..., "{pattern}")'))
    before = axes.index("*")
    return before, len(axes) - before - 1


def _pack(tensors: Any, pattern: str) -> tuple[Any, list[Any]]:
    before, after = _packing("pack", pattern)
    parts = list(items(tensors))
    shapes, flat = list[Any](), list[Any]()
    for i, part in enumerate(map(_tensor, parts)):
        if part.ndim < before + after:
            raise host_exception(
                EINOPS_ERROR(
                    f"packed tensor #{i} (enumeration starts with 0) has shape {part.shape}, while pattern {pattern}"
                    f" assumes at least {before + after} axes"
                )
            )
        end = part.ndim - after
        shapes.append(part.shape[before:end] if isinstance(parts[0], Tensor) else tuple(part.shape[before:end]))
        flat.append(part.reshape((*part.shape[:before], -1, *part.shape[end:])))
    packed = torch.cat(flat, dim=before)
    return (packed if isinstance(parts[0], Tensor) else wrap(packed.numpy())), shapes


def _unpack(tensor: Any, packed_shapes: Any, pattern: str) -> list[Any]:
    before, after = _packing("unpack", pattern)
    packed = _tensor(tensor)
    if packed.ndim != before + after + 1:
        raise host_exception(
            EINOPS_ERROR(f"unpack(..., {pattern}) received input of wrong dim with shape {packed.shape}")
        )
    shapes = [tuple(items(shape)) for shape in items(packed_shapes)]
    lengths = [-1 if -1 in shape else math.prod(shape) for shape in shapes]
    if lengths.count(-1) > 1:
        raise host_exception(
            EINOPS_ERROR(
                f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions"
            )
        )
    if -1 in lengths:
        lengths[lengths.index(-1)] = packed.shape[before] - sum(lengths) - 1
    parts, start = list[Any](), 0
    for shape, length in zip(shapes, lengths, strict=True):
        part = packed[(*(slice(None),) * before, slice(start, start + length))]
        start += length
        try:
            part = part.reshape((*packed.shape[:before], *shape, *packed.shape[before + 1 :]))
        except RuntimeError:
            raise host_exception(
                EINOPS_ERROR(
                    f'Error during unpack(..., "{pattern}"): could not split axis of size'
                    f" {packed.shape[before]} into requested {packed_shapes}"
                )
            ) from None
        parts.append(part if isinstance(tensor, Tensor) else wrap(part.numpy()))
    return parts


# --- layers


class Layer(Module):
    """What the layers of `einops.layers.torch` share."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _operation: Any = "rearrange"

    def __init__(self, pattern: str, **axes_lengths: Any) -> None:
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input: Any) -> Any:
        return _applied(input, self.pattern, self._operation, self.axes_lengths)

    def __repr__(self) -> str:
        sizes = "".join(f", {name}={size}" for name, size in self.axes_lengths.items())
        reduction = "" if self._operation == "rearrange" else f", {represent(self._operation)}"
        return f"{type(self).__name__}({represent(self.pattern)}{reduction}{sizes})"


class Rearrange(Layer):
    """`einops.layers.torch.Rearrange`."""

    __program__ = True


class Reduce(Layer):
    """`einops.layers.torch.Reduce`."""

    __program__ = True

    def __init__(self, pattern: str, reduction: Any, **axes_lengths: Any) -> None:
        super().__init__(pattern, **axes_lengths)
        self._operation = self.reduction = reduction


for _layer in (Layer, Rearrange, Reduce):
    _layer.__module__, _layer.__qualname__ = "einops.layers.torch", _layer.__name__

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "rearrange": _rearrange, "reduce": _reduce, "repeat": _repeat, "einsum": _einsum, "parse_shape": _parse_shape,
    "pack": _pack, "unpack": _unpack,
}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "einops": {
        **{name: Builtin(name, function) for name, function in _FUNCTIONS.items()},
        "EinopsError": EINOPS_ERROR,
    },
    "einops.layers": {},
    "einops.layers.torch": {"Rearrange": Rearrange, "Reduce": Reduce},
}
