"""Which modules and functions a model calls, and which tensors go from one to another."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

import torch
from torch.backends import mha
from torch.nn.modules import module as hooks
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode

Shape = str
"""As it is written on an edge: `1×3×224×224`, with the dtype where that is no floating point one."""


class Use(NamedTuple):
    """A tensor that a call was given. `maker`: the call of a function, or the input, that it came from."""

    maker: Call
    shape: Shape


class Call:
    """One call. `kind`: "module", "op", "input" or "output"; `name`: of a module its path in the model; `module`: of
    a module; `held`: parameters and buffers that a function was given, by name and shape; `made`: shapes of results."""

    __slots__ = ("children", "held", "kind", "made", "module", "name", "parent", "type", "uses")

    def __init__(self, kind: str, name: str, type: str, parent: Call | None, module: Any = None) -> None:
        self.kind, self.name, self.type, self.parent, self.module = kind, name, type, parent, module
        self.children: list[Call] = []
        self.uses: list[Use] = []
        self.held: list[str] = []
        self.made: list[Shape] = []
        if parent is not None:
            parent.children.append(self)

    def __iter__(self) -> Iterator[Call]:
        """The calls inside, each before what it calls."""
        for child in self.children:
            yield child
            yield from child


def calls_of(model: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Call:
    """The call of a model, between its inputs and outputs. It is left as it was: modes, hooks, the generator."""
    model = getattr(model, "_orig_mod", model)  # what torch.compile was given
    with ExitStack() as stack:
        modes = {module: module.training for module in model.modules()}
        stack.callback(_restore, modes)
        model.eval()
        stack.callback(mha.set_fastpath_enabled, mha.get_fastpath_enabled())
        mha.set_fastpath_enabled(False)  # which calls no modules
        stack.enter_context(torch.random.fork_rng(devices=[]))
        stack.enter_context(torch.no_grad())
        watch = _Watch(model)
        watch.given(args, kwargs)
        for registered, hook in _hooks(watch):
            registered[id(watch)] = hook
            stack.callback(registered.pop, id(watch))
        with watch:
            result = model(*args, **kwargs)
    watch.returned(result)
    return watch.root


def _hooks(watch: _Watch) -> list[tuple[dict[int, Any], Any]]:
    """What `register_module_forward_hook` and its kind register, and where: they also count up the numbers of handles,
    which programs can see, and leave something behind when the hook is removed."""
    registries: list[tuple[dict[int, Any], Any]] = [
        (hooks._global_forward_pre_hooks, watch.entered),
        (hooks._global_forward_hooks, watch.left),
        (hooks._global_forward_hooks_always_called, True),
    ]
    with_kwargs = getattr(hooks, "_global_forward_hooks_with_kwargs", None)  # PyTorch 2.4 has none
    return registries if with_kwargs is None else [*registries, (with_kwargs, True)]


def _restore(modes: dict[torch.nn.Module, bool]) -> None:
    for module, training in modes.items():
        module.training = training


_ALIKE = frozenset({"contiguous", "detach", "requires_grad_", "to", "float", "type_as", "clone"})
"""Functions that give what they got: no place of their own."""

_SIGNS = {
    "add": "+", "radd": "+", "iadd": "+", "sub": "−", "rsub": "−", "isub": "−", "mul": "×", "rmul": "×", "imul": "×",
    "truediv": "/", "rtruediv": "/", "div": "/", "matmul": "@", "rmatmul": "@", "pow": "**", "rpow": "**",
    "getitem": "[ ]", "setitem": "[ ] =", "neg": "−",
}  # fmt: skip


class _Watch(TorchFunctionMode):
    """Sees functions of PyTorch as they are called, and modules through their hooks."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model
        self.root = self.now = Call("module", "", type(model).__name__, None, model)
        self._names = {id(module): name for name, module in model.named_modules()}
        held = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
        self._held = {id(tensor): (name, tensor) for name, tensor in held}
        self._made: dict[int, tuple[Call, torch.Tensor]] = {}
        self._open: list[Call] = []

    def given(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """The inputs, called as `forward` calls them."""
        try:
            bound = inspect.signature(self.model.forward).bind(*args, **kwargs).arguments
        except (TypeError, ValueError):  # which the call itself will tell
            bound = {f"input {i}": value for i, value in enumerate((*args, *kwargs.values()))}
        for name, value in bound.items():
            for path, tensor in _members(name, value):
                call = Call("input", path, "", self.root)
                self._make(call, tensor)

    def returned(self, result: Any) -> None:
        """The outputs."""
        for path, tensor in _members("output" if not isinstance(result, Mapping) else "", result):
            call = Call("output", path, "", self.root)
            self._use(call, tensor)

    # Functions

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        name = _name_of(func)
        written = [args[0]] if name == "setitem" else _tensors(result)
        made = [tensor for tensor in written if isinstance(tensor, torch.Tensor)]
        if not made:
            return result
        given = list(_tensors((args, kwargs)))
        if name in _ALIKE and given:
            known = self._made.get(id(given[0]))
            if known is not None:
                for tensor in made:
                    self._made[id(tensor)] = (known[0], tensor)
            return result
        call = Call("op", _SIGNS.get(name, name), "", self.now)
        for tensor in given:
            self._use(call, tensor)
        for tensor in made:
            self._make(call, tensor)
        return result

    def _use(self, call: Call, tensor: torch.Tensor) -> None:
        known, held = self._made.get(id(tensor)), self._held.get(id(tensor))
        if known is not None:
            call.uses.append(Use(known[0], shape_of(tensor)))
        elif held is not None:
            call.held.append(f"{held[0].rpartition('.')[2]} {shape_of(tensor)}")

    def _make(self, call: Call, tensor: torch.Tensor) -> None:
        """A tensor is a call's; it stays alive, for another one would get its identity."""
        self._made[id(tensor)] = (call, tensor)
        call.made.append(shape_of(tensor))

    # Modules

    def entered(self, module: torch.nn.Module, args: Any) -> None:
        """A module is called; others than the model's may be, by other threads."""
        if id(module) not in self._names:
            return
        if module is self.model and not self._open:
            call = self.root
        else:
            call = Call("module", self._names.get(id(module), ""), type(module).__name__, self.now, module)
        self._open.append(call)
        self.now = call

    def left(self, module: torch.nn.Module, args: Any, *more: Any) -> None:
        """A call has ended. What no function inside is known to have made came, somehow, from what it was given.

        `more`: named arguments, which PyTorch leaves out where the call has raised, and the result.
        """
        *kwargs, result = more
        if id(module) not in self._names:
            return
        while self._open:
            call = self._open.pop()
            self.now = self._open[-1] if self._open else self.root
            if call.module is module:
                break
        else:
            return
        inside = {id(each) for each in call}
        for tensor in _tensors(result):
            known = self._made.get(id(tensor))
            if known is None or id(known[0]) not in inside:
                op = Call("op", "", "", call)
                for given in _tensors((args, kwargs)):
                    self._use(op, given)
                self._make(op, tensor)


def _name_of(func: Callable[..., Any]) -> str:
    """What a function is called; an attribute of a tensor, what that is."""
    name = getattr(func, "__name__", type(func).__name__)
    if name == "__get__":
        name = getattr(getattr(func, "__self__", None), "__name__", "attribute")
    return str(name).strip("_")


def shape_of(tensor: torch.Tensor) -> Shape:
    """A tensor's shape, as edges have it."""
    shape = "×".join(map(str, tensor.shape)) or "()"
    dtype = str(tensor.dtype).removeprefix("torch.")
    return shape if tensor.dtype.is_floating_point else f"{shape} {dtype}"


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    for _, tensor in _members("", value):
        yield tensor


def _members(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors in a value, and what leads to them."""
    if isinstance(value, torch.Tensor):
        if not is_lazy(value):
            yield name, value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from _members(f"{name}[{key!r}]" if name else str(key), member)
    elif isinstance(value, list | tuple):
        fields = getattr(value, "_fields", None)
        for i, member in enumerate(value):
            label = fields[i] if fields else i
            yield from _members(f"{name}.{label}" if fields else f"{name}[{label}]", member)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from _members(f"{name}.{field.name}", getattr(value, field.name, None))
