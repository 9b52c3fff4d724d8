"""`torch.func`: transforms of functions, composed from backward passes.

A transform differentiates at leaves of its own. What it returns goes on from the arguments where those are part of a
graph, and is otherwise outside all graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.api import gradients as backward_pass
from engine.autograd.function import BackwardCFunction
from engine.autograd.inplace import repeats
from engine.composites.creation import ones_like, zeros_like
from engine.core.batch import whole
from engine.core.grad_mode import enable_grad
from engine.core.node import AccumulateGrad, Node
from engine.core.registry import ops
from engine.core.state import state, unobserved
from engine.core.tensor import Tensor, constant
from engine.core.views import as_view, grad_accumulator, gradient_edge
from engine.torch.batching import refusing_randomness, vmap
from engine.torch.stateless import functional_call, replace_all_batch_norm_modules_, stack_module_state
from engine.torch.trees import TreeSpec, flatten, mapped, unflatten
from engine.types import dtypes

__all__ = [
    "debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "linearize", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap",
]  # fmt: skip

Argnums = int | tuple[int, ...]


class Points:
    """Where a function is differentiated: a leaf in place of every tensor of a nested value.

    `given` is that value with the leaves in it. While the transform works, it cannot confuse them with tensors that the
    function knows from elsewhere; `join` then gives them the places of the tensors they stood for. Where nothing is
    recorded when the transform begins, its results are constants to all that is outside.

    Inside a `vmap` every entry has points of its own. `ends` are the leaves that the graph knows, `sources` what is in
    the graph in their place.
    """

    differentiates = True
    carries = maps_functions = False  # whether PyTorch carries tangents forward from them, and those of a batch

    def __init__(self, values: Any) -> None:
        self.originals, self.spec = flatten(values)
        for value in self.originals:
            if not isinstance(value, Tensor):
                raise errors.func_not_tensor(value)
        self.leaves: list[Tensor]
        self.sources: list[Tensor]
        if state.batching is None:
            self.leaves, self.sources = [value.detach()._as_leaf() for value in self.originals], self.originals
        else:
            pairs = [state.batching.point(value) for value in self.originals]
            self.leaves, self.sources = [leaf for leaf, _ in pairs], [source for _, source in pairs]
        self.ends = [whole(leaf) for leaf in self.leaves]
        self.given = unflatten(self.leaves, self.spec)
        self.recording = state.grad
        self.closed = {
            id(p)
            for p, value in zip(self.ends, self.sources, strict=True)
            if not (value.requires_grad and self.recording)
        }

    def outside(self, value: Any) -> bool:
        """Whether a tensor depends on a graph that was there before the leaves."""
        if not isinstance(value, Tensor):
            return False
        value = whole(value)
        if not value.requires_grad:
            return False
        if value.grad_fn is None:
            return id(value) not in self.closed
        if not self.recording:
            return False
        return any(isinstance(n, AccumulateGrad) and id(n.variable) not in self.closed for n in _nodes([value]))

    def origins(self, tensor: Tensor) -> list[Tensor]:
        """The tensors in whose place the leaves stand that a tensor depends on, or is."""
        tensor = whole(tensor)
        if tensor.grad_fn is None:
            ends = {id(tensor)}
        else:
            ends = {id(n.variable) for n in _nodes([tensor]) if isinstance(n, AccumulateGrad)}
        return [own for point, own in zip(self.ends, self.originals, strict=True) if id(point) in ends]

    def join(self, *results: Any) -> None:
        """Let what was computed from the leaves go on from the tensors they stood for."""
        places = {}
        for point, value in zip(self.ends, self.sources, strict=True):
            if value.requires_grad:
                places[grad_accumulator(point)] = gradient_edge(value)
        if not places or not self.recording:
            return
        for node in list(_nodes([whole(t) for t in flatten(results)[0] if isinstance(t, Tensor)])):
            if any(edge in places for edge in node.next_edges):
                pairs = zip(node.next_edges, node.input_nrs or (0,) * len(node.next_edges), strict=True)
                moved = [places.get(edge, (edge, number)) for edge, number in pairs]  # type: ignore[arg-type]
                node.next_edges = tuple([edge for edge, _ in moved])
                node.input_nrs = tuple([number for _, number in moved])
        for point in self.ends:
            if id(point) in self.closed:
                continue
            end: Any = grad_accumulator(point)
            place, number = places[end]
            followers = [point, *end.followers]
            for tensor in followers:
                tensor._grad_fn, tensor._output_nr = place, number
            if isinstance(place, AccumulateGrad):
                known = {id(tensor) for tensor in place.followers}  # a transform may join more than once
                place.followers = (*place.followers, *(tensor for tensor in followers if id(tensor) not in known))

    def _leaf(self, point: Tensor) -> Tensor:
        """The leaf that a point stood for."""
        return next((own for end, own in zip(self.ends, self.sources, strict=True) if end is point), point)

    def result(self, value: Any, view: bool = False) -> Any:
        """Tensors as they leave the transform: in the graph as far as they depend on anything but the leaves.

        `view`: what leaves is a view of what the passes gave, as anything is that shows one element several times.
        """

        def leave(t: Any) -> Any:
            if not isinstance(t, Tensor) or self.outside(t):
                return t if not isinstance(t, Tensor) or type(t._grad_fn) is not AccumulateGrad else self._leaf(t)
            left = t.detach()
            if left._batch is None and (view or type(t._array) is np.ndarray and repeats(t._array)):
                base = constant(left._array)
                base._version_counter = left._version_counter
                as_view(left, base, False)
            return left

        return mapped(leave, value)


def _nodes(tensors: Sequence[Tensor]) -> Iterator[Node]:
    """The nodes that tensors depend on."""
    todo: list[Node] = [t.grad_fn for t in tensors if t.grad_fn is not None]
    seen = set(todo)
    while todo:
        node = todo.pop()
        yield node
        for edge in node.next_edges:
            if edge is not None and edge not in seen:
                seen.add(edge)
                todo.append(edge)


def _transformed(
    points: Points,
    func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Any = None,
    forward: bool = False,
    rows: bool = False,
) -> Any:
    """The function's result; Functions called meanwhile know that they are being transformed.

    Saved-tensor hooks are refused meanwhile, unless PyTorch would carry tangents `forward`; `rows`: those of a batch.
    """
    points.carries, points.maps_functions = forward, rows
    disabled = state.hooks_disabled
    if not forward:
        if state.pack_hooks:
            raise errors.func_saved_tensor_hooks()
        state.hooks_disabled = str(errors.func_saved_tensor_hooks())
    state.transforms.append(points)
    try:
        return func(*args, **(kwargs or {}))
    finally:
        state.transforms.pop()
        state.hooks_disabled = disabled


def _gradients(outputs: Sequence[Tensor], points: Sequence[Tensor], weights: Any, graph: bool) -> list[Tensor]:
    """Gradients of the outputs that have one; zeros for points that none depends on."""
    live = [place for place, out in enumerate(outputs) if whole(out).requires_grad]
    if not live or not points:
        return [zeros_like(point) for point in points]
    found = backward_pass(
        [outputs[place] for place in live],
        points,
        None if weights is None else [weights[place] for place in live],
        retain_graph=True,
        create_graph=graph,
        unused=True,
        materialize_grads=True,
    )
    return list(found)


def _split(result: Any, has_aux: bool, name: str, checked: bool = True) -> tuple[Any, Any]:
    """(output, aux) of what a function returned. `checked`: whether there are only tensors in aux."""
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise errors.func_aux(name)
    if checked:
        _check_aux(result[1])
    return result


def _check_aux(aux: Any) -> None:
    for leaf in flatten(aux)[0]:
        if not isinstance(leaf, Tensor):
            raise errors.func_aux_not_tensor(leaf)


def _tensors(result: Any, name: str, empty: bool = False) -> tuple[list[Tensor], TreeSpec]:
    """The outputs of a function, which must be tensors, and one at least unless there may be none (`empty`)."""
    leaves, spec = flatten(result)
    if not empty and (not leaves or leaves == [None]):
        raise errors.func_no_outputs(name, leaves)
    for item in leaves:
        if not isinstance(item, Tensor):
            raise errors.func_outputs(name, item)
    return leaves, spec


def _continuous(out: Tensor) -> bool:
    return out._array.dtype.kind in dtypes.INEXACT


def _check_continuous(outputs: Sequence[Tensor]) -> None:
    for out in outputs:
        if not _continuous(out):
            raise errors.func_outputs_not_continuous(out.dtype)


def _named(transformed: Callable[..., Any], func: Callable[..., Any]) -> Callable[..., Any]:
    transformed.__name__ = getattr(func, "__name__", "transformed")
    return transformed


def _numbers(argnums: Argnums, count: int) -> tuple[int, ...]:
    """Positions of the arguments to differentiate; RuntimeError for those that are not there."""
    if not isinstance(argnums, int | tuple):
        raise errors.func_argnums_type(argnums)
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    if not numbers:
        raise errors.func_argnums_empty()
    for number in numbers:
        if not isinstance(number, int):
            raise errors.func_argnum_type(number)
        if not -count <= number < count:
            raise errors.func_argnum(number, count)
    wrapped = tuple(number % count for number in numbers)
    if len(set(wrapped)) != len(wrapped):
        raise errors.func_argnums_repeated(argnums)
    return wrapped


def _chosen(args: Sequence[Any], argnums: Argnums) -> tuple[Any, Callable[[Any], list[Any]]]:
    """What to differentiate at, and a function that puts other values in its place."""
    numbers = _numbers(argnums, len(args))
    single = isinstance(argnums, int)

    def complete(values: Any) -> list[Any]:
        full = list(args)
        for number, value in zip(numbers, (values,) if single else values, strict=True):
            full[number] = value
        return full

    return args[numbers[0]] if single else tuple(args[n] for n in numbers), complete


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns (gradient, value) of a scalar function."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        values, complete = _chosen(args, argnums)
        points = Points(values)
        with enable_grad():
            result = _transformed(points, func, complete(points.given), kwargs)
            out, aux = _split(result, has_aux, "grad_and_value(f)(*args)", checked=False)
            if not isinstance(out, Tensor):
                raise errors.func_grad_not_tensor(out)
            if out._array.ndim:
                raise errors.func_grad_not_scalar(out._array.ndim)
            found = _gradients([out], points.leaves, None, graph=points.outside(out))
            if has_aux:
                _check_aux(aux)
            points.join(found, out, aux)
        gradient, value = points.result(unflatten(found, points.spec)), points.result(out)
        return (gradient, (value, points.result(aux))) if has_aux else (gradient, value)

    return _named(transformed, func)


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of a scalar function."""
    both = grad_and_value(func, argnums, has_aux)

    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return _named(transformed, func)


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """(outputs, function from cotangents to gradients)."""
    points = Points(primals)
    with enable_grad():
        out, aux = _split(_transformed(points, func, points.given), has_aux, "vjp(f, *primals)")
    outputs, spec = _tensors(out, "vjp(f, *primals)")
    _check_continuous(outputs)
    points.join(out, aux)

    def wrapper(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        weights, shape = flatten(cotangents)
        if shape != spec:
            raise errors.func_cotangents(shape._short(), spec._short())
        graph = state.grad and any(map(points.outside, (*outputs, *weights)))
        found = _gradients(outputs, points.leaves, weights, graph)
        return points.result(unflatten(found, points.spec))

    shown = points.result(out)
    return (shown, wrapper, points.result(aux)) if has_aux else (shown, wrapper)


def _pushforward(outputs: list[Tensor], points: Points) -> Callable[[Sequence[Any]], list[Tensor]]:
    """A function from tangents of the points to tangents of the outputs: the gradient of vᵀJ in v."""
    live = [place for place, out in enumerate(outputs) if _continuous(out)]
    weights = [ones_like(outputs[place]).detach()._as_leaf() for place in live]  # at zeros some formulas have no slope
    points.closed |= {id(whole(weight)) for weight in weights}
    state.transposing = True
    try:
        transposed = _gradients([outputs[place] for place in live], points.leaves, weights, graph=True)
    finally:
        state.transposing = False
    points.join(outputs, transposed)

    def push(tangents: Sequence[Any]) -> list[Tensor]:
        graph = any(map(points.outside, (*outputs, *tangents)))
        product = dict(zip(live, _gradients(transposed, weights, tangents, graph), strict=True))
        return [product[place] if place in product else zeros_like(out).detach() for place, out in enumerate(outputs)]

    return push


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple[Any, ...]:
    """(outputs, Jacobian times tangents). RuntimeError with `strict` for outputs that depend on no primal."""
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise errors.func_primals(name)
    values, structure = flatten(primals)
    directions, other = flatten(tangents)
    if structure != other:
        raise errors.func_tangents(name, structure, other)
    if not values:
        raise errors.func_no_primals(name)
    for what, leaves in (("primals", values), ("tangents", directions)):
        for item in leaves:
            if not isinstance(item, Tensor):
                raise errors.func_primal_type(name, what, item)
    _check_pushed(primals, tangents)
    for value, direction in zip(values, directions, strict=True):
        if value._array.shape != direction._array.shape:
            raise errors.forward_gradient_size(value._array.shape, direction._array.shape)
    points = Points(primals)
    with enable_grad():
        out, aux = _split(_transformed(points, func, points.given, forward=True), has_aux, name)
        outputs, spec = _tensors(out, name)
        if strict and not all(whole(output).requires_grad for output in outputs):
            raise errors.func_independent()
        with unobserved():  # PyTorch carries tangents forward
            product = _pushforward(outputs, points)(directions)
        points.join(aux)
    answer = points.result(out), points.result(unflatten(product, spec))
    return (*answer, points.result(aux)) if has_aux else answer


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """(outputs, the linear function that is `func`'s slope there)."""
    _check_pushed(primals)
    points = Points(primals)
    with enable_grad():
        out = _transformed(points, func, points.given, forward=True)
        outputs, spec = _tensors(out, "linearize(f, *primals)", empty=True)
        push = _pushforward(outputs, points)

    def slope(*tangents: Any) -> Any:
        directions, structure = flatten(tangents)
        if structure != points.spec:
            raise errors.func_linear_structure(structure, points.spec)
        for place, (direction, point) in enumerate(zip(directions, points.leaves, strict=True)):
            if direction._array.shape != point._array.shape:
                raise errors.func_linear_shape(place, direction._array.shape, point._array.shape)
            if direction._array.dtype != point._array.dtype:
                raise errors.func_linear_dtype(place, direction.dtype, point.dtype)
        with enable_grad():
            product = push(directions)
        return points.result(unflatten(product, spec))

    return points.result(out), slope


def _jacobian(
    func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Any,
    argnums: Argnums,
    has_aux: bool,
    name: str,
    forward: bool = False,
) -> Any:
    """Rows of the Jacobian, one backward pass for each element of the outputs; and aux.

    `forward`: PyTorch carries tangents forward instead, so nobody hears of the passes.
    """
    whose = "jacfwd" if forward else "jacrev"
    _check_real(whose, args, "input")
    values, complete = _chosen(args, argnums)
    if forward:
        _check_pushed(values)
    points = Points(values)
    with enable_grad():
        out, aux = _split(_transformed(points, func, complete(points.given), kwargs, forward, forward), has_aux, name)
        outputs, spec = _tensors(out, name)
        _check_real(whose, outputs, "output")
        if not forward:
            _check_continuous(outputs)
        blocks: list[list[Tensor]] = []
        if forward and any(isinstance(n, BackwardCFunction) for n in _nodes([whole(out) for out in outputs])):
            blocks = _columns(outputs, points)
        for output in () if blocks else outputs:
            graph, shape = points.outside(output), output._array.shape
            elements = ops.unbind(output.reshape(-1), 0) if output._array.size and _continuous(output) else ()
            with unobserved() if forward else nullcontext():
                rows = [_gradients([element], points.leaves, None, graph) for element in elements]
            columns: Any = zip(*rows, strict=True) if rows else [() for _ in points.leaves]
            blocks.append(
                [
                    _block(column, shape, point._array.shape, forward)
                    if column
                    else point.new_zeros(
                        (*shape, *point._array.shape), dtype=None if _continuous(output) else output.dtype
                    )
                    for column, point in zip(columns, points.leaves, strict=True)
                ]
            )
        points.join(blocks, out, aux)
    jacobian = unflatten([unflatten(block, points.spec) for block in blocks], spec)
    return points.result(jacobian, view=True), points.result(aux)


def _check_pushed(primals: Any, tangents: Any = ()) -> None:
    """ValueError for whole numbers, along which there is no tangent, and which are none."""
    for what, values in (("primal", primals), ("tangent", tangents)):
        for leaf in flatten(values)[0]:
            if isinstance(leaf, Tensor) and leaf._array.dtype.kind not in dtypes.INEXACT:
                raise errors.dual_dtype(what, leaf.dtype)


def _check_real(whose: str, values: Any, what: str) -> None:
    """Jacobians of complex numbers are not made: RuntimeError for the first of them."""
    for place, leaf in enumerate(flatten(values)[0]):
        if isinstance(leaf, Tensor) and leaf._array.dtype.kind == "c":
            raise errors.jacobian_complex(whose, what, place)


def _block(rows: Sequence[Tensor], out: tuple[int, ...], point: tuple[int, ...], forward: bool) -> Tensor:
    """Rows of the Jacobian with the shapes of output and point; tangents leave the columns next to each other."""
    if not forward:
        return ops.stack(list(rows)).view((*out, *point))  # type: ignore[no-any-return]
    places = range(len(point) + len(out))
    columns = ops.stack(list(rows), -1).view((*point, *out))
    return ops.permute(columns, (*places[len(point) :], *places[: len(point)]))  # type: ignore[no-any-return]


def _columns(outputs: list[Tensor], points: Points) -> list[list[Tensor]]:
    """For every output the derivatives at each of the points, from tangents carried forward one after another."""
    with unobserved():
        push = _pushforward(outputs, points)
        found: list[list[list[Tensor]]] = [[[] for _ in points.leaves] for _ in outputs]
        for place, leaf in enumerate(points.leaves):
            for element in range(leaf._array.size):
                directions = [zeros_like(each).detach() for each in points.leaves]
                basis = np.zeros(leaf._array.size, leaf._array.dtype)
                basis[element] = 1
                directions[place] = constant(basis.reshape(leaf._array.shape)[()])
                for column, product in zip(found, push(directions), strict=True):
                    column[place].append(product)
        return [
            [
                _block(column, leaf._array.shape, out._array.shape, forward=True)
                if column
                else out.new_zeros((*out._array.shape, *leaf._array.shape))
                for column, leaf in zip(columns, points.leaves, strict=True)
            ]
            for out, columns in zip(outputs, found, strict=True)
        ]


def jacrev(
    func: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """A function that returns the Jacobian with respect to argument(s) `argnums`."""
    if chunk_size is not None and chunk_size <= 0:
        raise errors.func_chunk_size()

    def transformed(*args: Any, **kwargs: Any) -> Any:
        jacobian, aux = _jacobian(func, args, kwargs, argnums, has_aux, "vjp(f, *primals)")
        return (jacobian, aux) if has_aux else jacobian

    return _named(transformed, func)


def jacfwd(
    func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """As `jacrev`; `randomness` as in `vmap`, which PyTorch runs the function in."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        with refusing_randomness(randomness):
            jacobian, aux = _jacobian(func, args, kwargs, argnums, has_aux, "jvp(f, primals, tangents)", forward=True)
        return (jacobian, aux) if has_aux else jacobian

    return _named(transformed, func)


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that returns the Hessian of a scalar function."""
    return jacfwd(jacrev(func, argnums), argnums)


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """The function itself: it computes the same, and that it writes in place shows nowhere here."""
    if remove not in ("mutations", "mutations_and_views"):
        raise errors.functionalize_remove(remove)
    return _named(lambda *args, **kwargs: func(*args, **kwargs), func)


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """The tensor outside the transforms."""
    return tensor.detach() if tensor.requires_grad else tensor
