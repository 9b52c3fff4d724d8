"""`torch.autograd.gradcheck`: gradients against central differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.autograd import grad
from engine.op import GRAPH
from engine.tensor import Tensor

__all__ = ["gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """A gradient does not match its finite differences."""


def _outputs(value: Any) -> list[Tensor]:
    values = value if isinstance(value, tuple | list) else (value,)
    return [v for v in values if isinstance(v, Tensor)]


def _numerical(func: Callable[..., Any], inputs: Sequence[Any], x: Tensor, eps: float) -> list[Any]:
    """∂outputs/∂x by central differences: one (elements of x, elements of output) array per output."""
    flat = x._a.reshape(-1) if x._a.shape else None
    columns: list[list[Any]] = []
    for index in range(x._a.size):
        original = x._a if flat is None else flat[index]
        sides = []
        for step in (eps, -eps):
            if flat is None:
                x._a = original + original.dtype.type(step)
            else:
                flat[index] = original + step
            sides.append([np.array(o._a, dtype=o._a.dtype, copy=True).reshape(-1) for o in _outputs(func(*inputs))])
        if flat is None:
            x._a = original
        else:
            flat[index] = original
        columns.append([(a - b) / (2 * eps) for a, b in zip(*sides, strict=True)])
    return [np.stack([column[i] for column in columns]) for i in range(len(columns[0]))] if columns else []


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """True when the gradients of `func` agree with central differences of step `eps`; else raises GradcheckError."""
    given = inputs if isinstance(inputs, tuple | list) else (inputs,)
    points = [t for t in given if isinstance(t, Tensor) and t.requires_grad]
    if not points:
        raise errors.gradcheck_no_inputs()
    for index, t in enumerate(given):
        if isinstance(t, Tensor) and t.requires_grad and t._a.dtype not in (np.float64, np.complex128):
            warnings.warn(errors.gradcheck_precision(index), stacklevel=2)
    outputs = [o for o in _outputs(func(*given)) if o.requires_grad]
    for position, x in enumerate(points):
        expected = _numerical(func, given, x, eps)
        all_outputs = _outputs(func(*given))
        differentiable = [i for i, o in enumerate(all_outputs) if o.requires_grad]
        for number, out in zip(differentiable, outputs, strict=True):
            analytical = np.zeros((x._a.size, out._a.size), dtype=out._a.dtype)
            for index in range(out._a.size):
                unit = np.zeros(out._a.size, out._a.dtype)
                unit[index] = 1
                weight = Tensor._from_array(unit.reshape(out._a.shape)[()])
                (found,) = grad(out, x, weight, retain_graph=True, allow_unused=True)
                if found is not None:
                    analytical[:, index] = np.asarray(found._a).reshape(-1)
            if not np.allclose(analytical, expected[number], rtol=rtol, atol=atol, equal_nan=True):
                if not raise_exception:
                    return False
                raise GradcheckError(errors.gradcheck_mismatch(number, position, expected[number], analytical))
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """The same for gradients of gradients."""
    given = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    outputs = [o for o in _outputs(func(*given)) if o.requires_grad]
    if grad_outputs is None:
        weights: tuple[Any, ...] = tuple(GRAPH["ones_like"](o).detach() * 0.7 for o in outputs)
        for index, weight in enumerate(weights):
            weight.requires_grad_()
            del index
    else:
        weights = tuple(grad_outputs) if isinstance(grad_outputs, tuple | list) else (grad_outputs,)
    count = len(given)

    def first(*arguments: Any) -> tuple[Tensor, ...]:
        points, vectors = arguments[:count], arguments[count:]
        outs = [o for o in _outputs(func(*points)) if o.requires_grad]
        wanted = [p for p in points if isinstance(p, Tensor) and p.requires_grad]
        found = grad(outs, wanted, list(vectors), create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(first, given + weights, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)
