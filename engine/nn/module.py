"""`nn.Module`: what has parameters, buffers and children, and is called like a function."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from engine import errors
from engine.composites.aliases import typename
from engine.core.grad_mode import no_grad
from engine.core.hooks import HookDict, RemovableHandle
from engine.core.state import state
from engine.core.tensor import MarkedMeta, Parameter, Tensor, constant
from engine.nn import loading
from engine.nn.calling import (  # noqa: F401 - also where PyTorch has the hooks of all modules
    call_with_hooks,
    common,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    registered,
)
from engine.nn.grads import clear_grad
from engine.nn.loading import _IncompatibleKeys
from engine.signatures.native import check
from engine.types import dtypes

M = TypeVar("M", bound="Module")

_running: list[Module] = []
"""Modules whose call is in progress, outermost first; kept only while an observer wants their names."""


_LOOKED_AT = 1000
"""Modules that are looked at for the name of one that is called."""


HOOK_TABLES = frozenset({"_backward_hooks", "_backward_pre_hooks", "_forward_hooks", "_forward_pre_hooks"})
"""What programs empty by putting something else in its place."""


class BufferMeta(MarkedMeta):
    """`isinstance(x, Buffer)` is true for the plain tensors that `Buffer` makes."""

    _mark = "_is_buffer"


BufferMeta.__name__ = BufferMeta.__qualname__ = "_BufferMeta"
BufferMeta.__module__ = "torch.nn.parameter"


class Buffer(Tensor, metaclass=BufferMeta):
    """A tensor that a module registers as a buffer when it is assigned (`nn.Buffer`)."""

    __module__ = "torch.nn.parameter"
    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = constant(np.empty(0, dtypes.get_default().np))
        alias = data.detach().requires_grad_(data.requires_grad)
        alias.persistent = persistent  # type: ignore[attr-defined]
        alias._is_buffer = True  # type: ignore[attr-defined]
        return alias


class Module:
    """Base of all layers and models. Subclasses assign parameters and submodules in `__init__` and define `forward`."""

    __module__ = "torch.nn.modules.module"
    training: bool
    _is_full_backward_hook: bool | None
    T_destination = TypeVar("T_destination", bound=dict[str, Any])
    dump_patches = False
    _version = 1
    call_super_init = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            name = type(self).__name__
            if kwargs:
                raise errors.module_keyword(name, next(iter(kwargs)))
            raise errors.module_arguments(name, len(args))
        fields = self.__dict__
        fields["training"] = True
        fields["_parameters"] = {}
        fields["_buffers"] = {}
        fields["_non_persistent_buffers_set"] = set()
        fields["_backward_pre_hooks"] = HookDict()
        fields["_backward_hooks"] = HookDict()
        fields["_is_full_backward_hook"] = None
        fields["_forward_hooks"] = HookDict()
        fields["_forward_hooks_with_kwargs"] = set()
        fields["_forward_hooks_always_called"] = set()
        fields["_forward_pre_hooks"] = HookDict()
        fields["_forward_pre_hooks_with_kwargs"] = set()
        fields["_state_dict_hooks"] = HookDict()
        fields["_state_dict_pre_hooks"] = HookDict()
        fields["_load_state_dict_pre_hooks"] = HookDict()
        fields["_load_state_dict_post_hooks"] = HookDict()
        fields["_modules"] = {}

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; every subclass defines its own."""
        raise errors.module_without_forward(type(self).__name__)

    # The call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        observer = state.observer
        if observer is None:
            return call_with_hooks(self, args, kwargs) if self._hooked() else self.forward(*args, **kwargs)
        scoped = observer.scopes
        if scoped:
            observer.scope_enter("module", self._label())
        _running.append(self)
        try:
            return call_with_hooks(self, args, kwargs) if self._hooked() else self.forward(*args, **kwargs)
        finally:
            _running.pop()
            if scoped:
                observer.scope_exit()

    def _hooked(self) -> Any:
        fields = self.__dict__  # which is several times as fast as attributes of a class with `__getattr__`
        try:
            return (
                fields["_forward_pre_hooks"] or fields["_forward_hooks"]
                or fields["_backward_hooks"] or fields["_backward_pre_hooks"] or common()
            )  # fmt: skip
        except KeyError:
            return self._backward_hooks or common()  # the first says that the module has no fields

    def _label(self) -> str:
        """`Net`, or `fc1: Linear` for a module that the running one holds under a name."""
        kind = type(self).__name__
        path = path_below(_running[-1], self) if _running else ""
        return f"{path}: {kind}" if path else kind

    # Hooks

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments."""
        hooks = self._forward_pre_hooks
        return hooks.add(hook, prepend, marks=(self._forward_pre_hooks_with_kwargs,) if with_kwargs else ())

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output."""
        hooks = self._forward_hooks
        asked = ((self._forward_hooks_with_kwargs, with_kwargs), (self._forward_hooks_always_called, always_call))
        return hooks.add(hook, prepend, marks=[marked for marked, wanted in asked if wanted])

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward; it may return another grad_output."""
        return self._backward_pre_hooks.add(hook, prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` once the gradients of the inputs are known."""
        if self._is_full_backward_hook is False:
            raise errors.backward_hooks_mixed()
        self._is_full_backward_hook = True
        return self._backward_hooks.add(hook, prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """The deprecated form: the hook sits on the last op of `forward` and sees only that op's gradients."""
        if self._is_full_backward_hook is True:
            raise errors.backward_hooks_mixed()
        self._is_full_backward_hook = False
        return self._backward_hooks.add(hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after `state_dict`."""
        return self._state_dict_hooks.add(hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return self._state_dict_pre_hooks.add(hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """The older form of it, whose hook may return another state dict."""
        if getattr(hook, "_from_public_api", False):
            raise errors.state_dict_hook_twice()
        return self._state_dict_hooks.add(hook, marks=(self.__dict__.setdefault("_replacing_hooks", set()),))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)` before loading."""
        return self._load_state_dict_pre_hooks.add(hook)

    def _register_load_state_dict_pre_hook(self, hook: Callable[..., Any], with_module: bool = False) -> Any:
        """The older form of it, whose hook is not given the module unless `with_module`."""
        if with_module:
            return self._load_state_dict_pre_hooks.add(hook)
        return self._load_state_dict_pre_hooks.add(lambda module, *arguments: hook(*arguments))

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after loading."""
        return self._load_state_dict_post_hooks.add(hook)

    # Registration

    def _new_name(self, what: str, name: Any, members: dict[str, Any]) -> None:
        """Refuse a name that is no name, or that already means something else."""
        if not isinstance(name, str):
            raise errors.registered_name_type(what, type_name(name))
        if "." in name:
            raise errors.registered_name_dot(what, name)
        if not name:
            raise errors.registered_name_empty(what)
        if name not in members and hasattr(self, name):
            raise errors.registered_name_taken(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under `name`."""
        if "_parameters" not in self.__dict__:
            raise errors.module_before_init("parameter")
        self._new_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise errors.parameter_registered(type_name(param), name)
        if param is not None and param.grad_fn is not None:
            raise errors.parameter_registered_non_leaf(name)
        self._parameters[name] = param if param is None else registered("parameter", self, name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is part of the state but not trained; `persistent=False` keeps it out of `state_dict`."""
        if "_buffers" not in self.__dict__:
            raise errors.module_before_init("buffer")
        self._new_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise errors.buffer_registered(type_name(tensor), name)
        self._buffers[name] = registered("buffer", self, name, tensor)
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child under `name`."""
        if not isinstance(module, Module) and module is not None:
            raise errors.not_a_module(typename(module))
        self._new_name("module", name, self._modules)
        self._modules[name] = registered("module", self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dict__
        parameters = fields.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise errors.module_before_init("parameters")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise errors.parameter_assigned(type_name(value), name)
            self.register_parameter(name, value)
            return
        modules = fields.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise errors.module_before_init("module")
            self._forget(name, "_parameters", "_buffers")
            modules[name] = registered("module", self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise errors.child_assigned(type_name(value), name)
            modules[name] = registered("module", self, name, value)
            return
        buffers = fields.get("_buffers")
        if buffers is None and isinstance(value, Tensor) and getattr(value, "_is_buffer", False) is True:
            raise errors.module_before_init("buffer")
        if buffers is not None and (name in buffers or getattr(value, "_is_buffer", False) is True):
            if value is not None and not isinstance(value, Tensor):
                raise errors.buffer_assigned(type_name(value), name)
            marked = getattr(value, "_is_buffer", False) is True
            persistent = getattr(value, "persistent", True) if marked else name not in self._non_persistent_buffers_set
            if name in buffers:
                buffers[name] = registered("buffer", self, name, value)
                (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)
                return
            fields.pop(name, None)
            if type(self).register_buffer is Module.register_buffer:
                self.register_buffer(name, value, persistent)
            elif "persistent" in inspect.signature(self.register_buffer).parameters:
                self.register_buffer(name, value, persistent)
            elif not persistent:
                raise errors.buffer_not_persistent()
            else:
                self.register_buffer(name, value)
            return
        object.__setattr__(self, name, HookDict.of(value) if name in HOOK_TABLES else value)

    def _forget(self, name: str, *tables: str) -> None:
        """Drop what was registered or set under a name that now means something else."""
        fields = self.__dict__
        fields.pop(name, None)
        for table in tables:
            fields[table].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__
        try:
            return fields["_parameters"][name]
        except KeyError:
            pass
        for table in ("_buffers", "_modules"):
            members = fields.get(table)
            if members is not None and name in members:
                return members[name]
        raise errors.object_attribute(type(self).__name__, name)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        own = [*object.__dir__(self), *self._parameters, *self._modules, *self._buffers]
        return sorted({name for name in own if not name[:1].isdigit()})

    # What it holds

    def _named_members(
        self,
        get_members_fn: Callable[[Module], Any],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen: dict[int, Any] = {}
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in get_members_fn(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen[id(value)] = value
                yield f"{path}.{name}" if path else name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """(dotted path, parameter) of this module and, with `recurse`, of all below it."""
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix=prefix, recurse=recurse, remove_duplicate=remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """(dotted path, buffer)."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix=prefix, recurse=recurse, remove_duplicate=remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """(name, module) of the direct children."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Module]:
        """The direct children."""
        for _, module in self.named_children():
            yield module

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """(dotted path, module) of this module (path '') and of all below it, depth first."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def get_submodule(self, target: str) -> Module:
        """The module at a dotted path. AttributeError when there is none."""
        module = self
        for name in target.split(".") if target else []:
            if not hasattr(module, name):
                raise errors.no_member(module._get_name(), name)
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise errors.not_an_nn_module(name)
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a dotted path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise errors.no_member(module._get_name(), name)
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise errors.not_an_nn_parameter(name)
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a dotted path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise errors.no_member(module._get_name(), name)
        if name not in module._buffers:
            raise errors.not_a_buffer(name)
        return module._buffers[name]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a dotted path."""
        if not target:
            raise errors.empty_submodule_path()
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise errors.no_member(parent._get_name(), name)
        setattr(parent, name, module)

    # Modes and conversions

    def train(self: M, mode: bool = True) -> M:
        """Training mode, for this module and all below it: dropout drops, batch norm uses the batch's statistics."""
        if not isinstance(mode, bool):
            raise errors.training_mode()
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: M) -> M:
        """Evaluation mode: `train(False)`."""
        return self.train(False)

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Switch gradients of all parameters on or off."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def apply(self: M, fn: Callable[[Module], Any]) -> M:
        """Call `fn` with every module below this one, children first, and with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self: M, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> M:
        """Replace the value of every parameter, gradient and buffer by `fn` of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            if loading.is_lazy(parameter):
                parameter.convert(fn)
                continue
            with no_grad():
                parameter.data = fn(parameter.detach())
                if parameter._grad is not None:
                    parameter._grad = fn(parameter._grad)
        for name, buffer in self._buffers.items():
            if loading.is_lazy(buffer):
                buffer.convert(fn)
            elif buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """Convert parameters and buffers: `to(dtype)`, `to(device)`, `to(tensor)`, `to(memory_format=…)`."""
        check("Tensor", "to", args, kwargs)
        dtype, device = kwargs.get("dtype"), kwargs.get("device")
        for value in args:
            if isinstance(value, dtypes.dtype):
                dtype = value
            elif isinstance(value, Tensor):
                dtype = value.dtype
            elif value is not None and not isinstance(value, bool):
                device = value
        if device is not None:
            device = dtypes.device(device)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise errors.module_dtype(dtype)
        if dtype is not None and dtype.is_complex:
            errors.warn_complex_modules()
        if device is not None and device.type == "meta":
            state.notice("There is no meta device here: parameters that are put there keep their values.")
            device = None
        layout = kwargs.get("memory_format")
        if dtype is None and layout is None and (device is None or device.type == "cpu"):
            return self

        def convert(t: Tensor) -> Tensor:
            wanted = dtype if t.dtype.is_floating_point or t.dtype.is_complex else None
            if layout is not None and t.ndim in (4, 5):
                return t.to(device, wanted, memory_format=layout)
            return t.to(device, wanted)

        return self._apply(convert)

    def type(self: M, dst_type: Any) -> M:
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def _floats(self: M, dtype: dtypes.dtype) -> M:
        return self._apply(lambda t: t.to(dtype) if t.dtype.is_floating_point else t)

    def float(self: M) -> M:
        """Floating point parameters and buffers to float32."""
        return self._floats(dtypes.float32)

    def double(self: M) -> M:
        """Floating point parameters and buffers to float64."""
        return self._floats(dtypes.float64)

    def half(self: M) -> M:
        """Floating point parameters and buffers to float16."""
        return self._floats(dtypes.float16)

    def bfloat16(self: M) -> M:
        """Refused: numpy has no such type."""
        return self._floats(dtypes.bfloat16)

    def cpu(self: M) -> M:
        """Does nothing: everything is on the CPU."""
        return self

    def cuda(self: M, device: Any = None) -> M:
        """Refused as PyTorch refuses it on a machine without CUDA."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self: M, device: Any = None) -> M:
        """Refused as PyTorch refuses it on a machine without one."""
        return self._apply(lambda t: t.to("xpu"))

    def ipu(self: M, device: Any = None) -> M:
        """Refused as PyTorch refuses it on a machine without one."""
        return self._apply(lambda t: t.to("ipu"))

    def mtia(self: M, device: Any = None) -> M:
        """Refused as PyTorch refuses it on a machine without one."""
        return self._apply(lambda t: t.to("mtia"))

    def to_empty(self: M, *, device: Any, recurse: bool = True) -> M:
        """Parameters and buffers with undefined values."""
        dtypes.device(device)
        return self._apply(lambda t: t.new_empty(t.shape), recurse)

    def share_memory(self: M) -> M:
        """Does nothing: one process runs the program."""
        return self

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Accepted: modules run as they are."""

    # State

    def state_dict(
        self, *args: Any, destination: OrderedDict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """Parameters and persistent buffers by dotted path, detached; they share memory with the module."""
        if args:
            errors.warn_positional_state_dict()
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and not prefix else prefix
            keep_vars = args[2] if len(args) > 2 and not keep_vars else keep_vars
        return loading.save(self, destination, prefix, keep_vars)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        loading.save_own(self, destination, prefix, keep_vars)

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> _IncompatibleKeys:
        """Copy values from a state dict; RuntimeError when keys (if `strict`) or sizes do not match."""
        return loading.load(self, state_dict, strict, assign)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Copy what the module itself holds, and note what does not match."""
        loading.load_own(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def _has_extra_state(self) -> bool:
        return type(self).get_extra_state is not Module.get_extra_state

    def _takes_extra_state(self) -> bool:
        return type(self).set_extra_state is not Module.set_extra_state

    def get_extra_state(self) -> Any:
        """What a subclass wants kept in `state_dict` besides parameters and buffers."""
        raise errors.extra_state("get")

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave."""
        raise errors.extra_state("set")

    # Text

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        own = extra.split("\n") if extra else []
        children = [f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()]
        if len(own) == 1 and not children:
            return f"{self._get_name()}({own[0]})"
        lines = own + children
        inside = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{self._get_name()}({inside})"


def held_by(module: Module) -> list[tuple[str, Module]]:
    """(name, child) of the direct children, read without calling anything that a program can replace."""
    table = _fields(module).get("_modules")
    if not issubclass(type(table), dict):
        return []
    return [(n, child) for n, child in dict.items(table) if type(n) is str and issubclass(type(child), Module)]


def path_below(root: Module, wanted: Module) -> str:
    """The dotted path at which `root` holds a module; empty when it does not, or too far down to look."""
    table = _fields(root).get("_modules")
    if issubclass(type(table), dict):
        for key, held in dict.items(table):
            if held is wanted and type(key) is str:
                return key
    seen: set[int] = set()
    todo = [("", root)]
    while todo and len(seen) < _LOOKED_AT:
        path, module = todo.pop()
        if module is wanted:
            return path
        if id(module) not in seen:
            seen.add(id(module))
            todo.extend((f"{path}.{name}" if path else name, child) for name, child in reversed(held_by(module)))
    return ""


def _addindent(s_: str, numSpaces: int) -> str:
    """The text with every line but the first, and blank ones, moved to the right."""
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line if line.strip() else "" for line in rest)])


def type_name(value: Any) -> str:
    """`torch.FloatTensor`, `int`, `torch.nn.modules.linear.Linear`: the name error texts give a value's type."""
    if isinstance(value, Tensor):
        return value.dtype.tensor_type
    kind = value if isinstance(value, type) else type(value)
    module = kind.__module__
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"


_fields = Module.__dict__["__dict__"].__get__
"""The instance dictionary of a module, whatever its class defines."""
