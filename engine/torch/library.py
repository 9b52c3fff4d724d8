"""`torch.library`: a function of the program as an op of its own, with a backward that it registers."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from engine import errors, settings
from engine.autograd.function import Function, FunctionMeta, context
from engine.core.grad_mode import no_grad
from engine.core.state import state
from engine.core.tensor import Tensor, bump_version

__all__ = ["CustomOpDef", "custom_op", "register_autograd", "register_fake", "register_kernel"]

_SCHEMA: dict[Any, str] = {Tensor: "Tensor", float: "float", int: "SymInt", bool: "bool", str: "str"}

DEFINED: dict[str, CustomOpDef] = settings.contents({})
"""The ops of the program, by qualified name."""


def _memory(t: Tensor) -> Any:
    """What owns the elements of a tensor."""
    if not isinstance(t._array, np.ndarray):
        return t  # nothing shares a number's
    owner: Any = t._array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return owner


def _schema(annotation: Any) -> str:
    return _SCHEMA.get(annotation, "Any") if isinstance(annotation, type) else "Any"


def _default(value: Any) -> str:
    """A default as the dispatcher writes it."""
    if isinstance(value, float):
        return f"={value:.6g}." if value.is_integer() else f"={value}"
    return f"={json.dumps(value) if isinstance(value, str) else repr(value)}"


def _shown(signature: inspect.Signature) -> str:
    """A signature as Python writes it."""
    parts = []
    for parameter in signature.parameters.values():
        plain = parameter.replace(default=parameter.empty)
        if not isinstance(parameter.annotation, type):
            plain = plain.replace(annotation=parameter.empty)
        given = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{plain}{given}")
    returns = signature.return_annotation
    known = isinstance(returns, type) and returns is not signature.empty
    return f"({', '.join(parts)})" + (f" -> {inspect.formatannotation(returns)}" if known else "")


class CustomOpDef:
    """An op that a program has defined."""

    __module__ = "torch._library.custom_ops"

    def __init__(self, namespace: str, name: str, function: Callable[..., Any], mutated: frozenset[str]) -> None:
        self._namespace, self._name, self._qualname = namespace, name, f"{namespace}::{name}"
        self._function = function
        self._signature = inspect.signature(function)
        self._mutated = mutated
        self._check_parameters()
        self._backward: Callable[..., Any] | None = None
        self._setup_context: Callable[..., Any] | None = None
        # as `partial`s they are no functions of a program, which would get another `ctx` than the node
        members: dict[str, Any] = {
            member: staticmethod(partial(getattr(self, f"_run_{member}"))) for member in ("forward", "backward")
        }
        self._generated: Any = FunctionMeta(
            f"GeneratedBackwardFor_{namespace}_{name}_default",
            (Function,),
            {**members, "__module__": "torch._library.autograd"},
        )

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def _check_parameters(self) -> None:
        signature = self._signature
        for name, parameter in signature.parameters.items():
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                what = "We do not support positional-only args, varargs, or varkwargs."
                raise errors.custom_op_schema(what, _shown(signature))
            if parameter.annotation is parameter.empty:
                raise errors.custom_op_schema(f"Parameter {name} must have a type annotation.", _shown(signature))
        unseen = self._mutated - signature.parameters.keys()
        if unseen:
            raise errors.custom_op_schema(errors.custom_op_mutates(repr(set(unseen))), _shown(signature))
        if signature.return_annotation is signature.empty:
            what = "No return type annotation was provided. Please add one."
            raise errors.custom_op_schema(what, _shown(signature))

    def _declaration(self) -> str:
        """The signature as the dispatcher has it."""
        parts = []
        for place, (name, parameter) in enumerate(self._signature.parameters.items()):
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
                parts.append("*")
            kind = _schema(parameter.annotation)
            kind = f"{kind}(a{place}!)" if name in self._mutated else kind
            parts.append(f"{kind} {name}{'' if parameter.default is parameter.empty else _default(parameter.default)}")
        returns = self._signature.return_annotation
        return f"{self._qualname}({', '.join(parts)}) -> {'()' if returns is None else _schema(returns)}"

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters. RuntimeError where they do not fit."""
        parameters = self._signature.parameters
        most = len([p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD])
        if len(args) > len(parameters):
            raise errors.custom_op_too_many(self._qualname, len(parameters), len(args), self._declaration())
        if len(args) > most:
            raise errors.custom_op_positions(self._qualname, most, len(args), self._declaration())
        for name in kwargs:
            if name not in parameters:
                raise errors.custom_op_unknown_keyword(self._qualname, name, self._declaration())
        bound = self._signature.bind_partial(*args, **kwargs)
        for place, (name, parameter) in enumerate(parameters.items()):
            if name not in bound.arguments:
                if parameter.default is parameter.empty:
                    raise errors.custom_op_missing(self._qualname, name, self._declaration())
                continue
            value = bound.arguments[name]
            if parameter.annotation is Tensor and not isinstance(value, Tensor):
                told = repr(value)
                raise errors.custom_op_tensor(self._qualname, name, place, value, told, self._declaration())
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._bound(args, kwargs)
        try:
            if state.grad and any(isinstance(value, Tensor) and value.requires_grad for value in given):
                return self._generated.apply(*given, None)  # the last stands for what the dispatcher knows
            with no_grad():
                return self._computed(given)
        finally:
            for name, value in zip(self._signature.parameters, given, strict=True):
                if name in self._mutated and isinstance(value, Tensor):
                    bump_version(value)

    def _computed(self, given: tuple[Any, ...]) -> Any:
        keyword_only = [name for name, p in self._signature.parameters.items() if p.kind is p.KEYWORD_ONLY]
        count = len(given) - len(keyword_only)
        result = self._function(*given[:count], **dict(zip(keyword_only, given[count:], strict=True)))
        seen = {id(_memory(value)) for value in given if isinstance(value, Tensor)}
        for value in result if isinstance(result, tuple) else (result,):
            if isinstance(value, Tensor):
                if id(_memory(value)) in seen:
                    raise errors.custom_op_alias(self._name)
                seen.add(id(_memory(value)))
        return result

    def _run_forward(self, ctx: Any, *args: Any) -> Any:
        result = self._computed(args[:-1])
        if self._setup_context is not None:
            self._setup_context(ctx=context(ctx, self._setup_context), inputs=args[:-1], output=result)
        return result

    def _run_backward(self, ctx: Any, *grads: Any) -> Any:
        if self._backward is None:
            raise errors.custom_op_backward(f"{self._namespace}.{self._name}.default")
        wanted, ctx.needs_input_grad = ctx.needs_input_grad, ctx.needs_input_grad[:-1]
        try:
            found = self._backward(context(ctx, self._backward), *grads)
        finally:
            ctx.needs_input_grad = wanted
        return (*found, None) if isinstance(found, tuple) else (found, None)

    def register_autograd(
        self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None
    ) -> None:
        """Differentiate by `backward(ctx, *grads)`; `setup_context(ctx, inputs, output)` keeps what that needs."""
        if self._mutated:
            raise errors.custom_op_mutating_autograd(self, self._declaration())
        self._backward = backward
        self._setup_context = setup_context

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """What the results look like: compilers ask for it, and nothing is compiled here."""
        return fn

    def register_kernel(self, device_types: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """Another implementation for some devices: that of the CPU takes the place of the function."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            devices = [device_types] if isinstance(device_types, str) else device_types
            if devices is None or "cpu" in devices:
                self._function = function
            return function

        return register if fn is None else register(fn)


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: Any = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """An op of its own made of a function, whose parameters have annotations. Also a decorator."""
    if not isinstance(name, str):
        raise errors.argument_type("custom_op", "name", 1, "str", name)
    parts = name.split("::")
    if len(parts) != 2:
        raise errors.custom_op_name(name)

    def define(function: Callable[..., Any]) -> CustomOpDef:
        mutated = frozenset() if isinstance(mutates_args, str) else frozenset(mutates_args)
        made = DEFINED[name] = CustomOpDef(parts[0], parts[1], function, mutated)
        return made

    return define if fn is None else define(fn)


def _op(op: Any) -> CustomOpDef:
    if isinstance(op, CustomOpDef):
        return op
    if not isinstance(op, str):
        raise errors.argument_type("register", "op", 1, "str", op)
    if op not in DEFINED:
        raise errors.custom_op_unknown(op)
    return DEFINED[op]


def register_autograd(
    op: Any, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None, lib: Any = None
) -> None:
    """`CustomOpDef.register_autograd` of an op by name."""
    _op(op).register_autograd(backward, setup_context=setup_context)


def register_fake(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """`CustomOpDef.register_fake` of an op by name."""
    found = _op(op)
    return found.register_fake if func is None else found.register_fake(func)


def register_kernel(op: Any, device_types: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """`CustomOpDef.register_kernel` of an op by name."""
    return _op(op).register_kernel(device_types, func)
