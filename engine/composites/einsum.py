"""`torch.einsum`: operands are aligned by their subscripts and contracted pair by pair with `bmm`, as in PyTorch."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor

ELLIPSIS = "..."
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@public("torch")
def einsum(*args: Any) -> Tensor:
    """Sums of products in Einstein's notation: `einsum('ij,jk->ik', a, b)` or `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Subscripts are letters; `...` stands for dimensions that broadcast; those absent from the output are summed.
    """
    if len(args) < 2:
        raise errors.einsum_no_operands()
    if isinstance(args[0], Tensor):
        equation, operands = _from_sublists(args)
    else:
        equation, operands = args[0], list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], list | tuple):
            operands = list(operands[0])
        if not operands:
            raise errors.einsum_no_operands()
    for index, operand in enumerate(operands):
        if not isinstance(operand, Tensor):
            raise errors.expected_tensor_element(index, 1, operand)
    return _einsum(equation, operands)


def _from_sublists(args: Sequence[Any]) -> tuple[str, list[Any]]:
    operands = list(args[: len(args) - len(args) % 2 : 2])
    subscripts = [_letters(sublist) for sublist in args[1::2]]
    equation = ",".join(subscripts[: len(operands)])
    if len(args) % 2:
        equation += "->" + _letters(args[-1])
    return equation, operands


def _letters(sublist: Sequence[Any]) -> str:
    letters: list[str] = []
    for item in sublist:
        if item is Ellipsis:
            letters.append(ELLIPSIS)
        elif item >= 0 and item < len(LETTERS):  # in this order, which errors name
            letters.append(LETTERS[item])
        else:
            raise errors.einsum_sublist()
    return "".join(letters)


def _subscripts(text: str, operand: int | None, start: int) -> list[str]:
    """The letters and at most one ellipsis of one operand (None: of the output)."""
    labels: list[str] = []
    position = 0
    while position < len(text):
        letter = text[position]
        if letter == ".":
            if text[position : position + 3] != ELLIPSIS:
                raise errors.einsum_dot(operand)
            if ELLIPSIS in labels:
                raise errors.einsum_second_ellipsis(operand)
            labels.append(ELLIPSIS)
            position += 3
            continue
        if letter != " ":
            if letter not in LETTERS:
                raise errors.einsum_subscript(start + position)
            labels.append(letter)
        position += 1
    return labels


def _parse(equation: str, operands: Sequence[Tensor]) -> tuple[list[list[str]], list[str] | None]:
    left, arrow, right = equation.partition("->")
    inputs: list[list[str]] = []
    start = 0
    for text in left.split(","):
        if len(inputs) == len(operands):
            raise errors.einsum_operands(fewer=False)
        inputs.append(_subscripts(text, len(inputs), start))
        start += len(text) + 1
    if len(inputs) < len(operands):
        raise errors.einsum_operands(fewer=False)
    for index, (labels, operand) in enumerate(zip(inputs, operands, strict=True)):
        named = len(labels) - (ELLIPSIS in labels)
        if ELLIPSIS in labels and named > operand.ndim:
            raise errors.einsum_too_many_subscripts(named, operand.ndim, index)
        if ELLIPSIS not in labels and named != operand.ndim:
            raise errors.einsum_dimensions(named, operand.ndim, index)
    return inputs, _subscripts(right, None, len(left) + 2) if arrow else None


class _Layout:
    """Where each subscript goes: first the dimensions of the output, then those that are summed."""

    def __init__(self, inputs: list[list[str]], output: list[str] | None, operands: Sequence[Tensor]) -> None:
        count: dict[str, int] = {}
        self.covered = 0  # dimensions that the ellipsis stands for
        for labels, operand in zip(inputs, operands, strict=True):
            for label in labels:
                count[label] = count.get(label, 0) + 1
            if ELLIPSIS in labels:
                self.covered = max(self.covered, operand.ndim - len(labels) + 1)
        self.place: dict[str, int] = {}
        self.ellipsis = 0
        size = 0
        shown = True
        if output is None:
            size = self.covered
            for label in sorted(count):
                if label != ELLIPSIS and count[label] == 1:
                    self.place[label] = size
                    size += 1
        else:
            shown = ELLIPSIS in output
            for label in output:
                if label == ELLIPSIS:
                    self.ellipsis = size
                    size += self.covered
                    continue
                if label in self.place:
                    raise errors.einsum_output_twice(label)
                if label not in count:
                    raise errors.einsum_unknown_output(label)
                self.place[label] = size
                size += 1
        self.kept = size
        if not shown:
            self.ellipsis = size
            size += self.covered
        for label in sorted(count):
            if label != ELLIPSIS and label not in self.place:
                self.place[label] = size
                size += 1
        self.size = size
        self.counts = [0] * size  # operands in which a place is more than 1 wide


def _align(operand: Tensor, labels: list[str], layout: _Layout, index: int, widths: dict[Any, int]) -> Tensor:
    """The operand with a dimension for every place of the layout, in its order."""
    places = [-1] * layout.size
    aligned = operand
    dim = 0

    def seen(place: int, key: Any, complain: Any) -> None:
        width = aligned.shape[dim]
        if width != 1:
            before = widths.get(key, 1)
            if before not in (1, width):
                raise complain(width, before)
            widths[key] = width
            layout.counts[place] += 1
        places[place] = dim

    for label in labels:
        if label == ELLIPSIS:
            own = operand.ndim - len(labels) + 1
            for j in range(layout.covered - own, layout.covered):
                complain = functools.partial(errors.einsum_ellipsis_size, dim, index)
                seen(layout.ellipsis + j, j, complain)
                dim += 1
            continue
        place = layout.place[label]
        if places[place] == -1:
            seen(place, label, lambda width, before, name=label: errors.einsum_sizes(name, width, index, before))
            dim += 1
            continue
        previous = places[place]
        if aligned.shape[dim] != aligned.shape[previous]:
            raise errors.einsum_repeated_sizes(label, index, aligned.shape[dim], aligned.shape[previous])
        aligned = aligned.diagonal(0, previous, dim).movedim(-1, previous)
    for place, own in enumerate(places):
        if own == -1:
            aligned = aligned.unsqueeze(dim)
            places[place] = dim
            dim += 1
    return aligned.permute(places)


def _einsum(equation: str, operands: Sequence[Tensor]) -> Tensor:
    if len(operands) > equation.count(",") + 1:
        raise errors.einsum_operands(fewer=False)
    if len(operands) < equation.partition("->")[0].count(",") + 1:
        raise errors.einsum_operands(fewer=True)
    inputs, output = _parse(equation, operands)
    layout = _Layout(inputs, output, operands)
    widths: dict[Any, int] = {}
    waiting = [
        _align(operand, labels, layout, index, widths)
        for index, (operand, labels) in enumerate(zip(operands, inputs, strict=True))
    ]
    result = waiting[0]
    for other in waiting[1:]:
        result = _contract(result, other, layout)
    if layout.size == layout.kept:
        return result
    if len(operands) > 1:
        return result.view(result.shape[: layout.kept])
    return result.sum(list(range(layout.kept, layout.size)))


def _contract(a: Tensor, b: Tensor, layout: _Layout) -> Tensor:
    """Multiply two aligned operands and sum the places that no later operand needs."""
    both: list[int] = []
    only_a: list[int] = []
    only_b: list[int] = []
    for place in range(layout.kept, layout.size):
        in_a, in_b = a.shape[place] != 1, b.shape[place] != 1
        if in_a and in_b:
            layout.counts[place] -= 1
            if layout.counts[place] == 1:
                both.append(place)
                layout.counts[place] = 0
        elif layout.counts[place] == 1 and (in_a or in_b):
            (only_a if in_a else only_b).append(place)
            layout.counts[place] = 0
    if only_a:
        a = a.sum(only_a, keepdim=True)
    if only_b:
        b = b.sum(only_b, keepdim=True)
    return _sum_of_products(a, b, both)


def _sum_of_products(a: Tensor, b: Tensor, summed: list[int]) -> Tensor:
    """`(a * b).sum(summed, keepdim=True)` as a batched matrix product."""
    if not summed:
        return a * b
    groups: dict[str, list[int]] = {"both": [], "a": [], "b": []}
    for place in range(a.ndim):
        if place in summed:
            continue
        in_a, in_b = a.shape[place] != 1, b.shape[place] != 1
        if in_a and in_b and a.shape[place] != b.shape[place]:
            raise errors.einsum_broadcast()
        groups["both" if in_a and in_b else "a" if in_a else "b"].append(place)
    batch, rows, columns = groups["both"], groups["a"], groups["b"]
    sizes_batch = [a.shape[i] for i in batch]
    sizes_rows = [a.shape[i] for i in rows]
    sizes_columns = [b.shape[i] for i in columns]
    depth = math.prod(a.shape[i] for i in summed)
    flat_batch, flat_rows, flat_columns = (math.prod(s) for s in (sizes_batch, sizes_rows, sizes_columns))
    left = a.permute(batch + rows + summed + columns).reshape(flat_batch, flat_rows, depth)
    right = b.permute(batch + summed + columns + rows).reshape(flat_batch, depth, flat_columns)
    order = batch + rows + summed + columns
    back = [order.index(place) for place in range(a.ndim)]
    product = ops.bmm(left, right)
    shape = [*sizes_batch, *sizes_rows, *[1] * len(summed), *sizes_columns]
    result: Tensor = product.view(shape).permute(back)
    return result
