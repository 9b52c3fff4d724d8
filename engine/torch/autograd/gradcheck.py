"""`torch.autograd.gradcheck`: gradients against central differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.api import grad
from engine.composites.creation import zeros_like
from engine.core.node import Node
from engine.core.registry import ops
from engine.core.state import sequence
from engine.core.tensor import Tensor, announce_write, constant, output_tensor
from engine.core.views import gradient_edge
from engine.kernels.random import Generator
from engine.limits import meter
from engine.torch.autograd.forward_ad import dual_level, make_dual, unpack_dual
from engine.types import dtypes

__all__ = ["gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """A gradient does not match its finite differences."""

    __module__ = "torch.autograd.gradcheck"


def _outputs(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple | list) else [value]


class UndefinedGradBackward(Node):
    """Stands between an output and its function, and sends on no gradient."""

    def __init__(self, output: Tensor) -> None:
        edge, number = gradient_edge(output)
        self.sequence_nr = sequence.next()
        self.next_edges = (edge,)
        if number:
            self.input_nrs = (number,)
        self.shape, self.dtype = output._array.shape, output._array.dtype

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        return (None,)

    apply_graph = apply


def _undefined(output: Tensor) -> Tensor:
    return output_tensor(output._array, UndefinedGradBackward(output), 0, output._version_counter)


def _differentiable(value: Any) -> list[Tensor]:
    return [o for o in _outputs(value) if o.requires_grad]


def _numerical(
    func: Callable[[], list[Any]], x: Tensor, eps: float, directions: tuple[complex, ...] = (1, 1j)
) -> list[Any]:
    """∂outputs/∂x by central differences, (elements of x, elements of output) for each array that `func` gives.

    For complex x: a step along the real axis, plus i times one along the imaginary axis, if `directions` has both.
    """
    flat = x._array.reshape(-1) if x._array.shape else None
    directions = directions if x._array.dtype.kind == "c" else (1,)
    columns: list[list[Any]] = []
    for index in range(x._array.size):
        original = x._array if flat is None else flat[index]
        column: list[Any] = []
        for direction in directions:
            sides = []
            for step in (-eps, eps):
                announce_write(x)
                if flat is None:
                    x._array = original + original.dtype.type(step * direction)
                else:
                    flat[index] = original + step * direction
                sides.append([np.array(array, copy=True) for array in func()])
            announce_write(x)
            if flat is None:
                x._array = original
            else:
                flat[index] = original
            _check_alike(sides, eps, np.unravel_index(index, x._array.shape))
            slopes = [((b - a) / (2 * eps)).astype(a.dtype).reshape(-1) for a, b in zip(*sides, strict=True)]
            column = [a + direction * b for a, b in zip(column, slopes, strict=True)] if column else slopes
        columns.append(column)
    return [np.stack([column[i] for column in columns]) for i in range(len(columns[0]))] if columns else []


def _check_alike(sides: Sequence[Sequence[Any]], eps: float, index: Any = None) -> None:
    """The outputs on both sides of a point must be alike; `index`: the place of the element that moved, if one did."""
    at = "" if index is None else f"on index {tuple(map(int, index))} "
    for a, b in zip(*sides, strict=True):
        for what in ("shape", "dtype"):
            first, second = getattr(constant(a), what), getattr(constant(b), what)
            if first != second:
                raise errors.gradcheck_not_alike(what, at, eps, first, second)


def _analytical(output: Tensor, points: Sequence[Tensor], unit: complex) -> list[Any]:
    """∂output/∂point of each point, (elements of point, elements of output), one pass per element of the output.

    `unit`: 1 for the real part of complex outputs, i for the imaginary part.
    """
    size = output._array.size
    meter.allocate(size * sum([x._array.size for x in points]), 8)
    jacobians = [np.zeros((x._array.size, size), dtype=x._array.dtype) for x in points]
    for index in range(size):
        vector = np.zeros(size, output._array.dtype)
        vector[index] = unit
        weight = Tensor._from_array(vector.reshape(output._array.shape)[()])
        found = grad(output, points, weight, retain_graph=True, allow_unused=True)
        for jacobian, gradient in zip(jacobians, found, strict=True):
            if gradient is not None:
                jacobian[:, index] = np.asarray(gradient._array).reshape(-1)
    return jacobians


def _check_zero(outputs: Sequence[Tensor], points: Sequence[Tensor], complaint: str) -> None:
    """A gradient of zeros, or none at all, must come out as zeros."""
    zeros = [zeros_like(o).detach() for o in outputs]
    try:
        found = grad(outputs, points, zeros, allow_unused=True)
    except RuntimeError as error:
        if complaint != errors.gradcheck_undefined():
            raise
        errors.warn_gradcheck_undefined()
        raise GradcheckError(errors.gradcheck_undefined_raised()) from error
    for gradient in found:
        if gradient is not None and np.any(gradient._array):
            if complaint == errors.gradcheck_undefined():
                errors.warn_gradcheck_undefined()
            raise GradcheckError(complaint)


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
    """True when the gradients of `func` agree with central differences of step `eps`; else raises GradcheckError.

    `fast_mode`: along one random direction instead of all, where everything is real.

    Every gradient is computed twice and must be the same within `nondet_tol`; zeros must give zeros, and so must no
    gradient at all unless `check_undefined_grad` is False.
    """
    if not (check_forward_ad or check_backward_ad):
        raise errors.gradcheck_nothing()
    if check_batched_forward_grad and not check_forward_ad:
        raise errors.gradcheck_batched_forward()
    given = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    points = [t for t in given if isinstance(t, Tensor) and t.requires_grad]
    if not points:
        raise errors.gradcheck_no_inputs()
    for index, t in enumerate(given):
        if isinstance(t, Tensor) and t.requires_grad and isinstance(t._array, np.ndarray):
            if any(step == 0 and extent > 1 for step, extent in zip(t._array.strides, t._array.shape, strict=True)):
                raise errors.gradcheck_overlapping(index)
    for index, t in enumerate(given):
        if isinstance(t, Tensor) and t.requires_grad and t._array.dtype not in (np.float64, np.complex128):
            warnings.warn(errors.gradcheck_precision(index), stacklevel=2)
    try:
        outputs = _differentiable(func(*given))
        if not outputs:
            _check_constant(func, given, points, eps)
        elif check_backward_ad:
            _check(func, given, outputs, points, eps, atol, rtol, nondet_tol, fast_mode)
        if check_forward_ad:
            _check_forward(func, given, points, eps, atol, rtol)
        if outputs and check_backward_ad:
            _check_zeros(func, given, outputs, points, check_undefined_grad)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _inexact(outputs: Sequence[Any]) -> list[Tensor]:
    """The tensors of numbers that have gradients."""
    return [o for o in outputs if isinstance(o, Tensor) and o._array.dtype.kind in dtypes.INEXACT]


def _check_constant(func: Callable[..., Any], given: tuple[Any, ...], points: Sequence[Tensor], eps: float) -> None:
    """A function of which no output has a gradient must not depend on the points."""

    def values() -> list[Any]:
        return [o._array for o in _outputs(func(*given)) if o._array.dtype.kind in dtypes.INEXACT]

    for x in points:
        if any(slopes.any() for slopes in _numerical(values, x, eps)):
            raise GradcheckError(errors.gradcheck_not_constant())


def _check(
    func: Callable[..., Any],
    given: tuple[Any, ...],
    outputs: Sequence[Tensor],
    points: Sequence[Tensor],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    fast: bool,
) -> None:
    def values(part: str) -> list[Any]:
        return [getattr(o._array, part) for o in _differentiable(func(*given))]

    complex_outputs = [o._array.dtype.kind == "c" for o in outputs]
    if fast and not any(complex_outputs) and all(x._array.dtype.kind in dtypes.FLOATING for x in points):
        _check_directions(lambda: values("real"), outputs, points, eps, atol, rtol)
        return
    for part, unit in (("imag", 1j), ("real", 1)) if any(complex_outputs) else (("real", 1),):
        expected = [_numerical(lambda part=part: values(part), x, eps) for x in points]  # type: ignore[misc]
        for number, output in enumerate(outputs):
            if part == "imag" and not complex_outputs[number]:
                continue
            found, again = _analytical(output, points, unit), _analytical(output, points, unit)
            for position, (jacobian, same) in enumerate(zip(found, again, strict=True)):
                if not np.allclose(jacobian, same, rtol=0, atol=nondet_tol, equal_nan=True):
                    raise GradcheckError(errors.gradcheck_not_reentrant(nondet_tol))
                if not jacobian.size:
                    continue
                numerical = expected[position][number]
                if not np.allclose(jacobian, numerical, rtol=rtol, atol=atol, equal_nan=True):
                    shown = constant(numerical), constant(jacobian)
                    said = part if complex_outputs[number] else None
                    raise GradcheckError(errors.gradcheck_mismatch(number, position, *shown, said))


def _forward_jacobians(func: Callable[..., Any], given: tuple[Any, ...], points: Sequence[Tensor]) -> list[list[Any]]:
    """By output: ∂output/∂point of each point, (elements of point, elements of output), one call per element of a
    point. All points are dual, so that a Function's `jvp` meets every tangent."""
    rows: list[list[list[Any]]] = []
    with dual_level():
        for x in points:
            columns = []
            for index in range(x._array.size):
                tangents = {id(t): zeros_like(t).detach() for t in points}
                vector = np.zeros(x._array.size, x._array.dtype)
                vector[index] = 1
                tangents[id(x)] = constant(vector.reshape(x._array.shape)[()])
                duals = [make_dual(t.detach(), tangents[id(t)]) if id(t) in tangents else t for t in given]
                results = _inexact(_outputs(func(*duals)))
                unpacked = [(o, unpack_dual(o).tangent) for o in results]
                columns.append(
                    [
                        np.zeros(o._array.size, o._array.dtype)
                        if t is None
                        else np.array(t._array, copy=True).reshape(-1)
                        for o, t in unpacked
                    ]
                )
            rows.append(columns)
    return [
        [np.stack([column[number] for column in columns]) for columns in rows if columns]
        for number in range(len(next((columns[0] for columns in rows if columns), ())))
    ]


def _check_forward(
    func: Callable[..., Any], given: tuple[Any, ...], points: Sequence[Tensor], eps: float, atol: float, rtol: float
) -> None:
    """Tangents against differences along the real axis."""

    def values() -> list[Any]:
        return [o._array for o in _inexact(_outputs(func(*given)))]

    full = [x for x in points if x._array.size]
    expected = [_numerical(values, x, eps, (1,)) for x in full]
    for number, jacobians in enumerate(_forward_jacobians(func, given, points)):
        for position, (jacobian, slopes) in enumerate(zip(jacobians, expected, strict=True)):
            if not np.allclose(jacobian, slopes[number], rtol=rtol, atol=atol, equal_nan=True):
                shown = constant(slopes[number]), constant(jacobian)
                raise GradcheckError(errors.gradcheck_mismatch(number, position, *shown, None, forward=True))


def _check_directions(
    values: Callable[[], list[Any]],
    outputs: Sequence[Tensor],
    points: Sequence[Tensor],
    eps: float,
    atol: float,
    rtol: float,
) -> None:
    """The fast mode: one random direction for each point and each output in place of all."""
    source = Generator()
    inward, outward = ([_direction(t, source) for t in tensors] for tensors in (points, outputs))
    changes = [_along(values, x, u * eps, eps) for x, u in zip(points, inward, strict=True)]
    weights = [Tensor._from_array(v.reshape(o._array.shape)[()]) for o, v in zip(outputs, outward, strict=True)]
    slopes = [grad(o, points, w, retain_graph=True, allow_unused=True) for o, w in zip(outputs, weights, strict=True)]
    for position, u in enumerate(inward):
        for number, v in enumerate(outward):
            slope = slopes[number][position]
            found = 0.0 if slope is None else float(np.dot(np.asarray(slope._array).reshape(-1), u))
            expected = float((v * changes[position][number]).sum())
            tolerance = atol * float(u.sum()) * float(v.sum())
            if not np.allclose(found, expected, rtol=rtol, atol=tolerance, equal_nan=True):
                jacobian = _analytical(outputs[number], points, 1)[position]
                numerical = _numerical(values, points[position], eps)[number]
                close = np.allclose(jacobian, numerical, rtol=rtol, atol=atol)
                text = errors.gradcheck_mismatch(number, position, expected, found, None)
                difference = float(np.abs(numerical - jacobian).max())
                shown = constant(numerical), constant(jacobian)
                text += errors.gradcheck_slowly(*shown, difference)
                raise GradcheckError(text + errors.gradcheck_close() if close else text)


def _direction(t: Tensor, source: Generator) -> Any:
    """A random vector of length 1 with an entry for each element."""
    drawn = source.uniform((t._array.size,)).astype(t._array.dtype)
    return drawn / ops.linalg_vector_norm(drawn)


def _along(values: Callable[[], list[Any]], x: Tensor, step: Any, eps: float) -> list[Any]:
    """The central differences of all outputs along `step`."""
    original, sides = x._array, []
    for sign in (-1, 1):
        announce_write(x)
        x._array = (original + sign * step.reshape(original.shape))[()]
        sides.append([np.array(array, copy=True) for array in values()])
    announce_write(x)
    x._array = original
    _check_alike(sides, eps)
    return [((b - a) / (2 * eps)).reshape(-1) for a, b in zip(*sides, strict=True)]


def _check_zeros(
    func: Callable[..., Any],
    given: tuple[Any, ...],
    outputs: Sequence[Tensor],
    points: Sequence[Tensor],
    undefined: bool,
) -> None:
    """Zeros must give zeros, and so must no gradient at all."""
    _check_zero(outputs, points, errors.gradcheck_not_multiplied())
    if undefined:
        cut = [_undefined(o) for o in _differentiable(func(*given))]
        attempts = [cut]
        if len(outputs) > 1:
            for index in range(len(outputs)):
                fresh = _differentiable(func(*given))
                attempts.append([_undefined(o) if i == index else o for i, o in enumerate(fresh)])
        for attempt in attempts:
            _check_zero(attempt, points, errors.gradcheck_undefined())


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
    """The same for gradients of gradients, weighted with `grad_outputs` (random ones unless given)."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise errors.gradgradcheck_nothing()
    given = tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
    if grad_outputs is None:
        outputs = _differentiable(func(*given))
        weights: tuple[Any, ...] = tuple(constant(np.empty_like(o._array)).uniform_(-1, 1) for o in outputs)
        for weight in weights:
            weight.requires_grad_()
    else:
        weights = tuple(grad_outputs) if isinstance(grad_outputs, tuple | list) else (grad_outputs,)
    count = len(weights)

    def first(*arguments: Any) -> tuple[Tensor, ...]:
        points, vectors = arguments[:-count], arguments[-count:]
        outs = _differentiable(func(*points))
        wanted = [p for p in points if isinstance(p, Tensor) and p.requires_grad]
        found = grad(outs, wanted, list(vectors), create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        first, given + weights, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, fast_mode=fast_mode,
    )  # fmt: skip
