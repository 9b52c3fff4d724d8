"""`vmap` gives of every op what a loop over entries and `stack` give: values, types, and gradients."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.tensor import Tensor
from tests.engine.test_opdb import INTERNAL
from tests.opdb.codec import cotangent, decode
from tests.opdb.replay import VARIANTS, base, cases, find, keys

CASES = 4
"""Samples of an op that are tried, spread over all that are recorded."""

REFUSED = (
    "vmap: We do not support batching operators", "vmap: Attempted to vmap over", "vmap: It looks like",
    "vmap: inplace arithmetic", "doesn't match the broadcast shape", "Batch norm got a batched tensor",
    "Cannot access data pointer", "vmap: called random", "vmap: Cannot ask",
)  # fmt: skip
"""What PyTorch refuses to map as well."""

RANDOM = {
    "nn.functional.gumbel_softmax", "bernoulli", "multinomial", "nn.functional.dropout", "pca_lowrank", "svd_lowrank",
}  # fmt: skip
"""Ops that draw random numbers: what they do in a `vmap` is recorded from PyTorch (snippets)."""

TIES = {"median": "among equal numbers", "nanmedian": "among equal numbers"}
"""Ops that PyTorch maps as the op along a dimension, which chooses otherwise `among equal numbers`."""


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    return [t for v in value for t in _tensors(v)] if isinstance(value, tuple | list) else []


def _with(value: Any, tensors: Any) -> Any:
    """Arguments with other tensors in their places."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, tuple | list):
        return type(value)([_with(v, tensors) for v in value])
    if isinstance(value, dict):
        return {k: _with(v, tensors) for k, v in value.items()}
    return value


def _entries(array: np.ndarray) -> list[np.ndarray]:
    """An array, and another with the same numbers from behind, so that the second is as valid as the first."""
    if not array.ndim:
        return [array, (array * array.dtype.type(0.5)).astype(array.dtype) if array.dtype.kind in "fc" else array]
    return [array, np.ascontiguousarray(np.flip(array))]


def _outcome(call: Any) -> tuple[Any, str | None]:
    try:
        return call(), None
    except Exception as error:
        return None, str(error)


def _close(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    near = a.shape == b.shape and a.dtype == b.dtype
    return near and bool(np.allclose(a.astype(complex), b.astype(complex), 1e-6, 1e-8, equal_nan=True))


def difference(key: str, case: dict[str, Any], way: int) -> str | None:
    """What `vmap` gives otherwise than a loop, in one of three ways to map: all tensors, over their last dimension, or
    the first tensor alone."""
    function = VARIANTS.get(key) or find(base(key))
    given: list[np.ndarray] = []

    def tensor(array: np.ndarray, requires_grad: bool) -> Tensor:
        given.append(array)
        return Tensor._from_array(array if array.shape else array[()])

    def name(text: str) -> Any:
        return getattr(torch, text)

    arguments = [decode(a, tensor, name) for a in case["args"]]
    keywords = {k: decode(v, tensor, name) for k, v in case.get("kwargs", {}).items()}
    order = _tensors([arguments, list(keywords.values())])
    mapped = range(len(order)) if way < 2 else range(min(1, len(order)))
    if not order:
        return None
    rows = [_entries(t._array if isinstance(t._array, np.ndarray) else np.asarray(t._array)) for t in order]

    def run(tensors: list[Tensor]) -> list[Tensor]:
        places = iter(tensors)
        args = _with(arguments, places)
        return _tensors(function(*args, **_with(keywords, places)))

    def leaves() -> list[Tensor]:
        made = []
        for place, pair in enumerate(rows):
            whole = np.stack(pair) if place in mapped else pair[0]
            t = Tensor._from_array(whole if whole.shape else whole[()])
            made.append(t._as_leaf() if whole.dtype.kind in "fc" else t)
        return made

    def looped(tensors: list[Tensor]) -> list[Tensor]:
        results = [run([t[entry].clone() if p in mapped else t for p, t in enumerate(tensors)]) for entry in range(2)]
        return [torch.stack(column) for column in zip(*results, strict=True)]

    def at_once(tensors: list[Tensor]) -> list[Tensor]:
        dims: Any = tuple([(0 if way != 1 else -1) if p in mapped else None for p in range(len(tensors))])
        placed = [t.movedim(0, -1) if d == -1 else t for t, d in zip(tensors, dims, strict=True)]
        return list(torch.vmap(lambda *ts: tuple(run(list(ts))), in_dims=dims)(*placed))

    first, second = leaves(), leaves()
    want, failed = _outcome(lambda: looped(first))
    if failed is not None:
        return None
    got, refused = _outcome(lambda: at_once(second))
    if refused is not None:
        return None if refused.startswith(REFUSED) or any(text in refused for text in REFUSED) else f"raises {refused}"
    for number, (a, b) in enumerate(zip(got, want, strict=True)):
        if not _close(a._array, b._array):
            return f"output {number}: {a._array!r} instead of {b._array!r}"
        if a.requires_grad != b.requires_grad:
            return f"output {number}: requires_grad {a.requires_grad} instead of {b.requires_grad}"
    gradients = []
    for results, points in ((got, second), (want, first)):
        live = [t for t in results if t.requires_grad]
        weights = [Tensor._from_array(cotangent(t._array.shape, t._array.dtype, i)[()]) for i, t in enumerate(live)]
        wanted = [t for t in points if t.requires_grad]
        gradients.append(
            _outcome(lambda a=live, b=wanted, w=weights: torch.autograd.grad(a, b, w, allow_unused=True))
            if live
            else ((), None)
        )
    (ours, failed), (theirs, other) = gradients
    if failed or other:
        return None if failed and other else f"gradients: {failed} instead of {other}"
    for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if (a is None) != (b is None) and np.any((a if b is None else b)._array):
            return f"gradient {number}: {a} instead of {b}"
        if a is not None and b is not None and not _close(a._array, b._array):
            return f"gradient {number}: {a._array!r} instead of {b._array!r}"
    return None


@pytest.mark.parametrize("key", [k for k in keys() if k not in INTERNAL | RANDOM | TIES.keys()])
def test_an_op_gives_for_a_batch_what_it_gives_for_every_entry(key: str) -> None:
    samples = list(cases(key))
    chosen = samples[:: max(1, len(samples) // CASES)][:CASES]
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for (number, case), way in itertools.product(enumerate(chosen), range(3)):
            if case.get("random"):
                continue
            found = difference(key, case, way)
            if found is not None:
                wrong.append(f"sample {number}, way {way}: {found}"[:400])
    assert not wrong, "\n".join(wrong)
