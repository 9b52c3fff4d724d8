"""`torch.func`: transforms of functions, composed from backward passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.autograd import grad as _grad
from engine.modes import enable_grad
from engine.nn.utils.stateless import call_with, merged
from engine.op import GRAPH
from engine.surface import TORCH
from engine.tensor import Tensor
from engine.torch.autograd import functional

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "stack_module_state", "vjp",
    "vmap",
]


def _leaf(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value if value.requires_grad else value.detach().requires_grad_()
    if isinstance(value, dict):
        return {k: _leaf(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_leaf(v) for v in value)
    return value


def _flatten(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else ()
    return [t for item in items for t in _flatten(item)]


def _rebuild(value: Any, tensors: list[Any]) -> Any:
    if isinstance(value, Tensor):
        return tensors.pop(0)
    if isinstance(value, dict):
        return {k: _rebuild(v, tensors) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_rebuild(v, tensors) for v in value)
    return value


def _detached(value: Any, outer: bool) -> Any:
    return value if outer or not isinstance(value, Tensor) else value.detach()


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that returns (gradient, value) of a scalar function."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else argnums
        outer = any(t.requires_grad for t in _flatten(list(args)))
        with enable_grad():
            points = list(args)
            for n in numbers:
                points[n] = _leaf(args[n])
            result = func(*points, **kwargs)
            out, aux = result if has_aux else (result, None)
            if not isinstance(out, Tensor) or out._a.ndim:
                raise errors.func_grad_not_scalar(out)
            wanted = _flatten([points[n] for n in numbers])
            found = _grad(out, wanted, create_graph=True, allow_unused=True, materialize_grads=True)
        kept = [_detached(g, outer or _nested()) for g in found]
        gradients = tuple(_rebuild(args[n], kept) for n in numbers)
        value = _detached(out, outer or _nested())
        answer = gradients[0] if isinstance(argnums, int) else gradients
        return (answer, (value, aux)) if has_aux else (answer, value)

    return _named(transformed, func)


_depth = [0]


def _nested() -> bool:
    return _depth[0] > 0


def _named(transformed: Callable[..., Any], func: Callable[..., Any]) -> Callable[..., Any]:
    transformed.__name__ = getattr(func, "__name__", "transformed")
    return transformed


def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of a scalar function."""
    both = grad_and_value(func, argnums, has_aux)

    def transformed(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return _named(transformed, func)


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """(outputs, function from cotangents to gradients)."""
    with enable_grad():
        points = tuple(_leaf(p) for p in primals)
        result = func(*points)
    out, aux = result if has_aux else (result, None)
    outputs = _flatten(out)

    def pullback(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        found = _grad(
            outputs,
            _flatten(list(points)),
            _flatten(cotangents),
            retain_graph=True,
            create_graph=any(t.requires_grad for t in _flatten(cotangents)),
            allow_unused=True,
            materialize_grads=True,
        )
        return tuple(_rebuild(list(primals), list(found)))

    shown = _rebuild(out, [t.detach() for t in outputs])
    return (shown, pullback, aux) if has_aux else (shown, pullback)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> tuple[Any, ...]:
    """(outputs, Jacobian times tangents)."""
    kept: list[Any] = []

    def plain(*points: Any) -> Any:
        result = func(*points)
        if has_aux:
            kept.append(result[1])
            return result[0]
        return result

    out, product = functional.jvp(plain, tuple(primals), tuple(tangents))
    return (out, product, kept[-1]) if has_aux else (out, product)


def jacrev(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, **options: Any) -> Callable[..., Any]:
    """A function that returns the Jacobian with respect to argument(s) `argnums`."""

    def transformed(*args: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else argnums
        outer = _nested() or any(t.requires_grad for t in _flatten(list(args)))

        def chosen(*points: Any) -> Any:
            full = list(args)
            for n, p in zip(numbers, points, strict=True):
                full[n] = p
            return func(*full)

        _depth[0] += 1
        try:
            inputs = tuple(args[n] for n in numbers)
            single = isinstance(argnums, int)
            return functional.jacobian(chosen, inputs[0] if single else inputs, create_graph=outer)
        finally:
            _depth[0] -= 1

    return _named(transformed, func)


jacfwd = jacrev


def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """A function that returns the Hessian of a scalar function."""

    def transformed(*args: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else argnums

        def chosen(*points: Any) -> Any:
            full = list(args)
            for n, p in zip(numbers, points, strict=True):
                full[n] = p
            return func(*full)

        inputs = tuple(args[n] for n in numbers)
        return functional.hessian(chosen, inputs[0] if isinstance(argnums, int) else inputs)

    return _named(transformed, func)


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function mapped over a dimension of its arguments: one call per entry, results stacked.

    `in_dims` says which dimension, for each argument or for each member of a list or dict; None for what all share.
    """

    def transformed(*args: Any, **kwargs: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple | list) else (in_dims,) * len(args)
        sizes = {t._a.shape[d] for t, d in _mapped(args, dims)}
        if len(sizes) != 1:
            raise errors.vmap_sizes(sorted(sizes))
        rows = [func(*_entry(tuple(args), dims, i), **kwargs) for i in range(sizes.pop())]
        columns = list(zip(*map(_flatten, rows), strict=True))
        outs = out_dims if isinstance(out_dims, tuple | list) else (out_dims,) * len(columns)
        stacked = [GRAPH["stack"](list(column), d) for column, d in zip(columns, outs, strict=True)]
        return _rebuild(rows[0], stacked)

    return _named(transformed, func)


def _pairs(value: Any, dims: Any) -> list[tuple[Any, Any]]:
    """The members of a container, each with its dimension."""
    if isinstance(value, dict):
        return [(v, dims[k] if isinstance(dims, dict) else dims) for k, v in value.items()]
    each = dims if isinstance(dims, tuple | list) else (dims,) * len(value)
    return list(zip(value, each, strict=True))


def _mapped(value: Any, dims: Any) -> list[tuple[Tensor, int]]:
    """The tensors that are mapped over, with their dimensions."""
    if isinstance(value, Tensor):
        return [] if dims is None else [(value, dims)]
    if isinstance(value, dict | tuple | list):
        return [found for member, dim in _pairs(value, dims) for found in _mapped(member, dim)]
    return []


def _entry(value: Any, dims: Any, index: int) -> Any:
    """The arguments of one call."""
    if isinstance(value, Tensor):
        return value if dims is None else value.select(dims, index)
    if isinstance(value, dict):
        return {k: _entry(v, d, index) for k, (v, d) in zip(value, _pairs(value, dims), strict=True)}
    if isinstance(value, tuple | list):
        return type(value)(_entry(v, d, index) for v, d in _pairs(value, dims))
    return value


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other values for some of its parameters and buffers."""
    return call_with(module, merged(parameter_and_buffer_dicts), args, kwargs, tie_weights, strict)


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of several models of one class, each stacked along a first dimension, as new leaves."""
    if not models:
        raise errors.no_models()
    if not (all(m.training for m in models) or not any(m.training for m in models)):
        raise errors.models_mode()
    if any(type(m) is not type(models[0]) for m in models):
        raise errors.models_class()
    tables: list[dict[str, Any]] = []
    for kind in ("named_parameters", "named_buffers"):
        states = [dict(getattr(model, kind)()) for model in models]
        tables.append({name: _stacked([state[name] for state in states], name) for name in states[0]})
    return tables[0], tables[1]


def _stacked(tensors: list[Tensor], name: str) -> Tensor:
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise errors.models_requires_grad(name)
    stacked: Tensor = TORCH["stack"](tensors).detach()
    return stacked.requires_grad_() if wanted == {True} else stacked
