"""`torch.autograd.functional`: Jacobians, Hessians and products with them, built from backward passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import errors
from engine.autograd.api import grad
from engine.composites.creation import ones_like, zeros_like
from engine.core.grad_mode import enable_grad
from engine.core.registry import ops
from engine.core.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Tensor, ...]


def _tuple(values: Any, what: str, function: str) -> tuple[bool, Tensors]:
    """(was a tuple, the tensors); TypeError for anything that is not a tensor."""
    is_tuple = isinstance(values, tuple)
    items = values if is_tuple else (values,)
    for index, item in enumerate(items):
        if not isinstance(item, Tensor):
            raise errors.functional_not_tensor(what, function, index if is_tuple else None, item)
    return is_tuple, tuple(items)


def _fresh(inputs: Tensors, create_graph: bool) -> Tensors:
    """Inputs to differentiate at: aliases in the caller's graph, or detached leaves."""
    if create_graph:
        return tuple(t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in inputs)
    return tuple(t.detach().requires_grad_() for t in inputs)


def _finish(values: Any, create_graph: bool) -> Any:
    if isinstance(values, tuple):
        return tuple(_finish(v, create_graph) for v in values)
    if not isinstance(values, Tensor):
        return values
    return values if create_graph else values.detach()


def _block(rows: list[Tensor], shape: tuple[int, ...], point: Tensor) -> Tensor:
    """Gradients of single elements as one block of the Jacobian."""
    block: Tensor = ops.stack(rows).view(shape) if rows else point.new_zeros(shape)
    return block


def _gradients(
    outputs: Sequence[Tensor],
    inputs: Tensors,
    weights: Sequence[Tensor] | None,
    create_graph: bool,
    strict: bool = False,
    retain: bool | None = None,
    *,
    output: int | None = None,
    what: str | None = None,
) -> tuple[Tensor, ...]:
    """Gradients with zeros where an input is not used; outputs outside the graph contribute nothing.

    `weights` None: every output is a single element and gets the implicit 1. In strict mode an unused input is an
    error, which says of which `output`; and so are gradients without a graph when `what` they are should have one.
    """
    wanted = [i for i, o in enumerate(outputs) if o.requires_grad]
    if not wanted:
        return tuple(zeros_like(t) for t in inputs)
    found = grad(
        [outputs[i] for i in wanted],
        inputs,
        None if weights is None else [weights[i] for i in wanted],
        retain_graph=retain,
        create_graph=create_graph,
        allow_unused=True,
    )
    if strict and any(g is None for g in found):
        raise errors.functional_independent(next(i for i, g in enumerate(found) if g is None), output)
    if strict and create_graph and what is not None:
        for index, g in enumerate(found):
            if not g.requires_grad:
                raise errors.functional_constant(what, index if output is None else output)  # as PyTorch counts
    return tuple(zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True))


def _check_requires_grad(outputs: Tensors, strict: bool) -> None:
    if strict:
        for index, out in enumerate(outputs):
            if not out.requires_grad:
                raise errors.functional_not_differentiable(index)


def _check_depends(jacobians: Tensors, strict: bool) -> None:
    if strict:
        for index, g in enumerate(jacobians):
            if not g.requires_grad:
                raise errors.functional_linear(index)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func` at `inputs`: shape (output shape + input shape); tuples nest outputs first.

    Rows come one after the other whatever `vectorize` and `strategy` say, which are checked as PyTorch does.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise errors.jacobian_strategy()
    if strategy == "forward-mode":
        if create_graph:
            raise errors.jacobian_forward_create_graph()
        if strict:
            raise errors.jacobian_forward_strict()
        if not vectorize:
            raise errors.jacobian_forward_loop()
    elif strict and vectorize:
        raise errors.jacobian_vectorized()
    with enable_grad():
        many_in, given = _tuple(inputs, "inputs", "jacobian")
        points = _fresh(given, create_graph)
        result = func(*points)
        many_out, outputs = _tuple(result, "outputs of the user-provided function", "jacobian")
        _check_requires_grad(outputs, strict)
        rows: list[tuple[Tensor, ...]] = []
        for place, out in enumerate(outputs):
            columns: list[list[Tensor]] = [[] for _ in points]
            for index in range(int(out._array.size)):
                element = out.reshape(-1)[index]
                found = _gradients(
                    [element], points, None, create_graph, strict, retain=True, output=place, what="jacobian"
                )
                for column, value in zip(columns, found, strict=True):
                    column.append(value)
            rows.append(
                tuple(
                    _block(column, tuple(out._array.shape) + tuple(point._array.shape), point)
                    for column, point in zip(columns, points, strict=True)
                )
            )
        answer = _finish(tuple(rows), create_graph)
    if strategy == "forward-mode" and many_in:  # whose columns PyTorch turns into rows that are lists
        listed = [list(row) for row in answer]
        return listed if many_out else listed[0]
    shaped = tuple(row if many_in else row[0] for row in answer)
    return shaped if many_out else shaped[0]


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a scalar function: shape (input shape + input shape); tuples nest."""
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise errors.hessian_strategy()
    many_in, given = _tuple(inputs, "inputs", "hessian")

    def single(*points: Tensor) -> Tensor:
        result = func(*points)
        many_out, outputs = _tuple(result, "outputs of the user-provided function", "hessian")
        _check_requires_grad(outputs, strict)
        _check_scalar("hessian", many_out, outputs)
        return outputs[0].squeeze()  # type: ignore[no-any-return]

    def gradient(*points: Tensor) -> Any:
        first = jacobian(single, points, create_graph=True)
        _check_depends(first, strict)
        return first

    blocks = jacobian(gradient, given, create_graph, strict, vectorize, outer_jacobian_strategy)
    return blocks if many_in else blocks[0][0]


def _check_scalar(function: str, many: bool, outputs: Tensors) -> None:
    if many:
        raise errors.functional_single_output(function)
    if outputs[0]._array.size != 1:
        raise errors.functional_single_element(function)


def _vector(v: Any, outputs: Tensors, many: bool, like: str, create_graph: bool) -> Tensors:
    if v is None:
        if len(outputs) != 1 or outputs[0]._array.size != 1:
            raise errors.functional_v_required(like)
        return (ones_like(outputs[0]).detach(),)
    _, vectors = _tuple(v, "v", like)
    if len(vectors) != len(outputs):
        raise errors.functional_v_tuple(len(outputs), len(vectors)) if many else errors.functional_v_single()
    for entry, (vector, out) in enumerate(zip(vectors, outputs, strict=True)):
        if vector._array.shape != out._array.shape:
            shapes = tuple(out._array.shape), tuple(vector._array.shape)
            raise errors.functional_v_size(*shapes, entry if many else None)
    return tuple([t.view_as(t) if create_graph and t.requires_grad else t.detach() for t in vectors])


def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(outputs, vᵀJ): one backward pass with `v` as the gradient."""
    with enable_grad():
        many_in, given = _tuple(inputs, "inputs", "vjp")
        points = _fresh(given, create_graph)
        many_out, outputs = _tuple(func(*points), "outputs of the user-provided function", "vjp")
        _check_requires_grad(outputs, strict)
        vectors = _vector(v, outputs, many_out, "vjp", create_graph)
        product = _gradients(outputs, points, vectors, create_graph, strict, what="jacobian")
    answer = _finish(outputs, create_graph), _finish(product, create_graph)
    return (answer[0] if many_out else answer[0][0]), (answer[1] if many_in else answer[1][0])


def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(outputs, Jv): two backward passes, differentiating vᵀJ with respect to v."""
    with enable_grad():
        many_in, given = _tuple(inputs, "inputs", "jvp")
        points = _fresh(given, create_graph)
        vectors = _vector(v, given, many_in, "jvp", create_graph)
        many_out, outputs = _tuple(func(*points), "outputs of the user-provided function", "jvp")
        _check_requires_grad(outputs, strict)
        weights = tuple(zeros_like(o).detach().requires_grad_() for o in outputs)
        transposed = _gradients(outputs, points, weights, create_graph=True, strict=strict)
        product = _gradients(transposed, weights, vectors, create_graph, strict, what="jacobian")
    answer = _finish(outputs, create_graph), _finish(product, create_graph)
    return (answer[0], answer[1]) if many_out else (answer[0][0], answer[1][0])


def _scalar_gradient(func: Callable[..., Any], points: Tensors, name: str, strict: bool) -> tuple[Tensor, Tensors]:
    many_out, outputs = _tuple(func(*points), "outputs of the user-provided function", name)
    _check_requires_grad(outputs, strict)
    _check_scalar(name, many_out, outputs)
    return outputs[0], _gradients(outputs, points, None, create_graph=True, strict=strict)


def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(output, vᵀH) of a scalar function."""
    with enable_grad():
        many_in, given = _tuple(inputs, "inputs", "vhp")
        points = _fresh(given, create_graph)
        vectors = _vector(v, given, many_in, "vhp", create_graph)
        out, first = _scalar_gradient(func, points, "vhp", strict)
        _check_depends(first, strict)
        product = _gradients(first, points, vectors, create_graph, strict, what="hessian")
    answer = _finish(product, create_graph)
    return _finish(out, create_graph), (answer if many_in else answer[0])


def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(output, Hv) of a scalar function: two backward passes through the gradient."""
    with enable_grad():
        many_in, given = _tuple(inputs, "inputs", "hvp")
        points = _fresh(given, create_graph)
        vectors = _vector(v, given, many_in, "hvp", create_graph)
        out, first = _scalar_gradient(func, points, "hvp", strict)
        _check_depends(first, strict)
        weights = tuple(zeros_like(g).detach().requires_grad_() for g in first)
        transposed = _gradients(first, points, weights, create_graph=True, strict=strict)
        product = _gradients(transposed, weights, vectors, create_graph, strict, what="hessian")
    answer = _finish(product, create_graph)
    return _finish(out, create_graph), (answer if many_in else answer[0])
