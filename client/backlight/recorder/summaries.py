"""Numbers of a tensor as JSON: all of them while they are few, else statistics, a histogram and a thumbnail."""

from __future__ import annotations

import math
from array import array
from typing import Any

import torch

from ..document.limits import BINS, CELLS
from ..document.numbers import plain, plain_lists, shaped

_NARROW = {torch.float16: ("e", 3, 5), torch.bfloat16: ("f", 3, 9), torch.float32: ("f", 6, 9)}
"""Formats of short floats, and between how many digits the fewest that identify a number lie."""


LARGE = 1 << 22
"""Elements of a tensor whose histogram and thumbnail are of every n-th of them."""

_SAMPLE, _SIDE = 1 << 18, 512
"""How many those are, at least, of all and of a side of a plane."""

_PART = 1024


def elements(tensor: torch.Tensor) -> Any:
    """Nested lists of all elements; 32-bit floats with the digits that identify them, 0.1 and not 0.10000000149."""
    if tensor.dtype not in _NARROW:
        return plain_lists(tensor.tolist())
    flat = _digits(tensor.reshape(-1).tolist(), 9 if tensor.dtype is torch.bfloat16 else 6)
    return shaped([plain(number) for number in flat], tuple(tensor.shape))


def _digits(numbers: list[float], fewest: int) -> list[float]:
    """The shortest decimals that are these numbers in 32 bits."""
    found, wanted = numbers[:], list(range(len(numbers)))
    for digits in range(fewest, 10):
        form = f"%.{digits}g"
        tried = [float(form % numbers[i]) for i in wanted]
        left: list[int] = []
        for i, decimal, single in zip(wanted, tried, _single(tried), strict=True):
            found[i] = decimal
            if single != numbers[i]:
                left.append(i)
        wanted = left
        if not wanted:
            break
    return found


def _single(numbers: list[float]) -> list[float]:
    try:
        return array("f", numbers).tolist()
    except OverflowError:
        return [array("f", [n])[0] if abs(n) <= 3.4028234663852886e38 else math.copysign(math.inf, n) for n in numbers]


def summary(tensor: torch.Tensor) -> dict[str, Any]:
    """`stats`, `thumbnail` and `histogram` of a tensor with elements, computed on its device."""
    real = _real(tensor)
    some = flat(real)
    least, most = _bounds(some)
    whole = math.isfinite(least) and math.isfinite(most)
    if not whole:
        some = real[torch.isfinite(real)]
        if not some.numel():
            some = real.new_zeros(1)
        least, most = _bounds(some)
    mean, norm = float(some.mean()), _norm(some)
    stats = {
        "min": least,
        "max": most,
        "mean": plain(mean),
        "std": plain(_deviation(some, mean, norm)),
        "norm": plain(norm),
        "nan": 0 if whole else int(torch.isnan(real).sum()),
        "inf": 0 if whole else int(torch.isinf(real).sum()),
        "zeros": real.numel() - int(torch.count_nonzero(real)),
    }
    return {"stats": stats, "thumbnail": _thumbnail(real), "histogram": _histogram(some, least, most)}


def _real(tensor: torch.Tensor) -> torch.Tensor:
    return (tensor.abs() if tensor.is_complex() else tensor).to(
        torch.float64 if tensor.dtype is torch.float64 and tensor.device.type == "cpu" else torch.float32
    )


def flat(tensor: torch.Tensor) -> torch.Tensor:
    """All elements in a row, in the order of memory where that needs no copy."""
    if tensor.is_contiguous():
        return tensor.view(-1)
    order = sorted(range(tensor.ndim), key=tensor.stride, reverse=True)
    return tensor.permute(order).reshape(-1)


def _norm(numbers: torch.Tensor) -> float:
    """The Euclidean norm; of many numbers by parts, as their squares lose digits in one sum of 32 bits."""
    if numbers.numel() >= LARGE:
        whole = numbers.numel() // _PART * _PART
        parts = torch.linalg.vector_norm(numbers[:whole].view(-1, _PART), dim=1)
        numbers = torch.cat([parts, numbers[whole:]])
    return float(torch.linalg.vector_norm(numbers))


def _deviation(numbers: torch.Tensor, mean: float, norm: float) -> float:
    """The standard deviation; of many numbers from their mean and norm, where that is exact enough."""
    square = norm / numbers.numel() * norm - mean * mean
    if numbers.numel() >= LARGE and math.isfinite(square) and square > mean * mean:
        return math.sqrt(square)
    return float(numbers.std(correction=0))


def _bounds(numbers: torch.Tensor) -> tuple[float, float]:
    """The least and the largest number; not numbers where one of them is none."""
    least, most = torch.aminmax(numbers)
    return float(least), float(most)


def _histogram(numbers: torch.Tensor, least: float, most: float) -> dict[str, Any]:
    """How many of the numbers, which are finite, lie in each of 32 equal parts of their range."""
    if least == most:
        least, most = least - 0.5, most + 0.5
    if not math.isfinite(most - least) or least == most:
        return {"edges": [least, most], "counts": [numbers.numel()]}
    if numbers.numel() >= LARGE:
        numbers = numbers[:: numbers.numel() // _SAMPLE]
    counts = torch.histc(numbers.float() if numbers.device.type != "cpu" else numbers, BINS, least, most)
    edges = [least + (most - least) * part / BINS for part in range(BINS + 1)]
    return {"edges": [float(f"{edge:.6g}") for edge in edges], "counts": [int(count) for count in counts.tolist()]}


def thumbnail(tensor: torch.Tensor) -> dict[str, Any]:
    """That of a summary alone."""
    return _thumbnail(_real(tensor))


def _thumbnail(real: torch.Tensor) -> dict[str, Any]:
    """At most 16 × 16 block means of the last two dimensions of the first entry; of a vector, one row."""
    plane = real.reshape(1, -1) if real.ndim <= 1 else real[(0,) * (real.ndim - 2)]
    if plane.numel() >= LARGE:
        plane = plane[:: -(-plane.size(0) // _SIDE), :: -(-plane.size(1) // (_SIDE if real.ndim > 1 else _SAMPLE))]
    rows, columns = (min(CELLS, extent) for extent in plane.shape)
    small = torch.nn.functional.adaptive_avg_pool2d(plane[None], (rows, columns))[0]
    return {
        "shape": [rows, columns],
        "data": [[plain(float(f"{number:.4g}")) for number in row] for row in small.tolist()],
    }
