"""Parameters as functions of others: `register_parametrization(layer, "weight", Symmetric())`.

The layer's class is replaced by one of its own, on which the parametrized name is a property.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from engine import errors, settings
from engine.core.grad_mode import no_grad
from engine.core.state import unobserved
from engine.core.tensor import Parameter, Tensor
from engine.nn.container import ModuleDict, ModuleList
from engine.nn.module import Module

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "transfer_parametrizations_and_params", "type_before_parametrizations",
]  # fmt: skip

_cache_depth = 0
settings.variable(sys.modules[__name__], "_cache_depth")
_cache: dict[tuple[int, str], Any] = settings.contents({})


class cached:
    """Inside `with cached():` a parametrized tensor is computed once and then remembered."""

    __module__ = "torch.nn.utils.parametrize"

    def __enter__(self) -> None:
        global _cache_depth
        _cache_depth += 1

    def __exit__(self, *exception: object) -> None:
        global _cache_depth
        _cache_depth -= 1
        if not _cache_depth:
            _cache.clear()


def _register(module: Module, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _set(target: Tensor, value: Tensor) -> None:
    """Give a tensor the memory of another, shape and all."""
    target.data = value.detach()


class ParametrizationList(ModuleList):
    """The functions that a tensor goes through, and what they start from: `original`, or `original0`, `original1` …"""

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if not modules:
            raise errors.no_parametrizations()
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with no_grad():
            new: Any = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
        if not isinstance(new, Tensor | Sequence):
            raise errors.right_inverse_type(type(new).__name__)
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if isinstance(new, Tensor):
            if original.dtype != new.dtype:
                raise errors.right_inverse_dtype(original.dtype, new.dtype)
            with no_grad():
                _set(original, new)
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise errors.right_inverse_part(i, type(part).__name__)
                kept = Parameter(part, original.requires_grad) if isinstance(original, Parameter) else part
                kept.requires_grad_(original.requires_grad)
                _register(self, f"original{i}", kept)
        if not unsafe:
            with unobserved():
                result = self()
            if not isinstance(result, Tensor):
                raise errors.parametrization_type(type(result).__name__)
            if result.dtype != dtype:
                raise errors.parametrization_changes("dtype", dtype, result.dtype)
            if result.shape != shape:
                raise errors.parametrization_changes("shape", shape, result.shape)

    def right_inverse(self, value: Tensor) -> None:
        """Store what gives `value`: the inverses of the functions, the last one first."""
        with no_grad():
            new: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise errors.no_right_inverse(type(module).__name__)
                new = module.right_inverse(new)
            if self.is_tensor:
                if not isinstance(new, Tensor):
                    raise errors.right_inverse_tensor(type(new).__name__)
                if new.dtype != self.original.dtype:
                    raise errors.right_inverse_assigned_dtype(new.dtype, self.original.dtype)
                _set(self.original, new)
                return
            if not isinstance(new, Sequence):
                raise errors.right_inverse_sequence(type(new).__name__)
            if len(new) != self.ntensors:
                raise errors.right_inverse_count(self.ntensors, len(new))
            for i, part in enumerate(new):
                _set(getattr(self, f"original{i}"), part)

    def forward(self) -> Any:
        functions = list(self)
        if self.is_tensor:
            x = functions[0](self.original)
        else:
            x = functions[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for function in functions[1:]:
            x = function(x)
        return x


def _own_class(module: Module) -> None:
    """Give the module a class of its own, so that properties on it are the module's alone."""
    kind = type(module)
    module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), {"__module__": "torch.nn.utils.parametrize"})


def _add_property(module: Module, name: str) -> None:
    def compute(self: Any) -> Any:
        if not _cache_depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def assign(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(compute, assign))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Make a parameter or buffer of a module a function of what it was; a second one is applied after the first."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            with unobserved():
                _check_next(parametrization, tensor_name, getattr(module, tensor_name))
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        functions = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _own_class(module)
            module.parametrizations = ModuleDict()
        _add_property(module, tensor_name)
        module.parametrizations[tensor_name] = functions
    else:
        raise errors.parametrization_target(module, tensor_name)
    return module


def _check_next(parametrization: Any, name: str, current: Tensor) -> None:
    """Whether a further function keeps type, dtype and shape, and so does undoing it."""
    result = parametrization(current)
    if not isinstance(result, Tensor):
        raise errors.parametrization_type(type(result).__name__)
    for what in ("dtype", "shape"):
        if getattr(result, what) != getattr(current, what):
            raise errors.next_parametrization_changes(what, name, getattr(current, what), getattr(result, what))
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(result)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise errors.next_inverse_type(type(back).__name__)
    for what in ("dtype", "shape"):
        if getattr(back, what) != getattr(current, what):
            raise errors.next_inverse_changes(what, name, getattr(current, what), getattr(back, what))


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has parametrized tensors, or whether this one is."""
    held = getattr(module, "parametrizations", None)
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make the tensor an ordinary parameter again: with the value it has, or with the one it started from."""
    if not is_parametrized(module, tensor_name):
        raise errors.not_parametrized(module, tensor_name)
    functions = module.parametrizations[tensor_name]
    if functions.is_tensor:
        original = functions.original
        if leave_parametrized:
            with no_grad():
                _set(original, getattr(module, tensor_name))
    else:
        if not leave_parametrized:
            raise errors.parametrized_by_several()
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class the module had before."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Copy parametrizations, and the parameters they start from, to another module."""
    if not is_parametrized(from_module):
        return to_module
    names = from_module.parametrizations.keys() if tensor_name is None else [tensor_name]
    for name in list(names):
        functions = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for function in functions:
            register_parametrization(to_module, name, function)
        target = to_module.parametrizations[name]
        for held in ["original"] if functions.is_tensor else [f"original{i}" for i in range(functions.ntensors)]:
            setattr(target, held, getattr(functions, held))
    return to_module
