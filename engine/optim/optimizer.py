"""The base of optimizers: parameter groups, state, `step` and `zero_grad`.

An optimizer of the engine defines `_update`, which changes one parameter's memory with numpy. `step` counts the writes,
so a graph that saved the parameter notices, and tells the observer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from itertools import chain, product
from typing import Any

import numpy as np
from scipy.linalg.blas import saxpy

from engine import errors, settings
from engine.composites.aliases import typename
from engine.core.grad_mode import enable_grad
from engine.core.hooks import HookDict, RemovableHandle
from engine.core.state import state as engine_state
from engine.core.state import unobserved
from engine.core.tensor import Tensor, constant
from engine.core.views import share
from engine.limits import meter
from engine.nn.grads import clear_grad
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16
from engine.types.coo import Coo

new = object.__new__

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required"]

Group = dict[str, Any]

_TOGETHER = {"AdamW": "Adam"}
"""Optimizers that speak in another's name."""

_hooks_of_all = {when: settings.contents(HookDict()) for when in ("pre", "post")}


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of every optimizer."""
    return _hooks_of_all["pre"].add(hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of every optimizer."""
    return _hooks_of_all["post"].add(hook)


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


def zeros_like(array: Any) -> Tensor:
    """Zeros in the layout of a parameter."""
    return constant(np.zeros_like(array))


def begin(state: dict[str, Any], array: Any, *names: str) -> None:
    """The state before the first step: a count of steps, and zeros in the layout of a parameter."""
    state["step"] = constant(np.float32(0))
    for name in names:
        state[name] = zeros_like(array)


def chosen(options: dict[str, Any], names: str) -> dict[str, Any]:
    """The defaults of an optimizer: of the parameters of its constructor those that groups have, in PyTorch's order."""
    return {name: options[name] for name in names.split()}


_SAVING = ("before saving", "after saving", "before loading", "after loading")


_NUMBERS = frozenset("alpha dampening eps lambd lr_decay momentum momentum_decay rho t0 weight_decay".split())
"""Options that a program can set in a group, and that are numbers to every optimizer that has them."""


def _check_numbers(group: Group) -> None:
    """Raises TypeError for containers that a program has put where there are numbers, or pairs of them."""
    for name, value in group.items():
        if isinstance(value, list | tuple | dict | set | frozenset) and name != "params":
            nested = len(value) > 8 or any(isinstance(item, list | tuple | dict) for item in value)
            if nested or name in _NUMBERS and not isinstance(value, tuple):
                raise errors.group_option(value)


_LATE = dict.fromkeys("amsgrad maximize capturable differentiable decoupled_weight_decay centered".split(), False) | {
    "foreach": None, "fused": None,
}  # fmt: skip
"""Options that loaded states may lack, since optimizers have not always had them, and what they are then."""


def _kept(state: dict[str, Any]) -> list[Tensor]:
    """The tensors of a parameter's state that have its dtype."""
    return [t for key, t in state.items() if isinstance(t, Tensor) and key != "step"]


class Optimizer:
    """Base of all optimizers. Subclasses of the user's define `step`; the engine's own define `_update`."""

    __module__ = "torch.optim.optimizer"
    _writes = 1  # in-place writes that PyTorch makes to a parameter in one step
    _captured = "params and"  # what PyTorch looks at the devices of when a step is to be captured, and where it can be
    _capturing: tuple[str, ...] = ("cuda", "xpu", "hpu", "privateuseone", "xla")
    _late: Mapping[str, Any] = {}  # further options that loaded states may lack
    _opt_called: bool | None = None  # whether it stepped since a scheduler watches; None without one

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._optimizer_step_pre_hooks = HookDict()
        self._optimizer_step_post_hooks = HookDict()
        self._saving = {name: HookDict() for name in _SAVING}
        if isinstance(params, Tensor):
            raise errors.optimizer_single_tensor(params.dtype.tensor_type)
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[Group] = []
        groups = list(params)
        if not groups:
            raise errors.optimizer_empty()
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        if defaults.get("fused") and type(self)._update is not Optimizer._update:
            if defaults.get("differentiable"):
                raise errors.fused_differentiable()
            if defaults.get("foreach"):
                raise errors.fused_foreach()
        if any(_hooks_of_all.values()):
            self._hook_own_step()
        if engine_state.observer is not None:
            engine_state.observer.optimizer(self, "made")

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__.setdefault("_optimizer_step_pre_hooks", HookDict())
        self.__dict__.setdefault("_optimizer_step_post_hooks", HookDict())
        self.__dict__.setdefault("_saving", {name: HookDict() for name in _SAVING})

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for index, group in enumerate(self.param_groups):
            text += f"\nParameter Group {index}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"

    # Groups

    def add_param_group(self, param_group: Group) -> None:
        """Add parameters with options of their own: `{'params': …, 'lr': …}`."""
        if not isinstance(param_group, dict):
            raise errors.optimizer_group_type(param_group)
        group = param_group
        group["params"] = self._members(group)
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise errors.optimizer_option_required(name)
            group.setdefault(name, default)
        named = "param_names" in group
        if self.param_groups and named != ("param_names" in self.param_groups[0]):
            raise errors.optimizer_names(named)
        kept = group["params"]
        if len(kept) != len({id(p) for p in kept}):
            errors.warn_duplicate_parameters()
        seen = {id(p) for g in self.param_groups for p in g["params"]}
        if not seen.isdisjoint({id(p) for p in kept}):
            raise errors.optimizer_group_overlap()
        self.param_groups.append(group)
        if engine_state.observer is not None:
            engine_state.observer.optimizer(self, "added")

    def _members(self, group: Group) -> list[Tensor]:
        params = group["params"]
        if isinstance(params, Tensor):
            members: list[Any] = [params]
        elif isinstance(params, set):
            raise errors.optimizer_set()
        else:
            members = list(params)
        names = [member[0] for member in members if isinstance(member, tuple)]
        if names:
            if len(names) != len(members):
                raise errors.optimizer_names_missing()
            group["param_names"] = names
            members = [member[1] for member in members]
        for parameter in members:
            if not isinstance(parameter, Tensor):
                raise errors.optimizer_not_tensor(typename(parameter))
            if not self.defaults.get("differentiable") and not (parameter.is_leaf or parameter.retains_grad):
                raise errors.optimizer_non_leaf()
        return members

    # Stepping

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        if engine_state.observer is not None:
            engine_state.observer.optimizer(self, "zero_grad")
        for group in self.param_groups:
            for parameter in group["params"]:
                clear_grad(parameter, set_to_none)

    def step(*given: Any, **kwargs: Any) -> Any:
        """Change every parameter that has a gradient; returns what the `closure`, if given, computes first."""
        self, *args = given  # so does PyTorch, and Python says what is missing
        closure = _closure(_written_in(self))(self, *args, **kwargs) if args or kwargs else None
        if type(self)._update is Optimizer._update and type(self)._minimize is Optimizer._minimize:
            raise NotImplementedError
        if self._opt_called is False:
            self._opt_called = True
        if engine_state.observer is not None:
            engine_state.observer.optimizer(self, "step")
        for hook in self._hooks_around("pre"):
            replaced = hook(self, (self, *args), kwargs)
            if replaced is not None:
                if not (isinstance(replaced, tuple) and len(replaced) == 2):
                    raise errors.step_pre_hook(_written_in(self), replaced)
                (_, *args), kwargs = replaced
                closure = _closure(_written_in(self))(self, *args, **kwargs)
        for group in self.param_groups:
            _check_numbers(group)
        previous = engine_state.grad
        engine_state.grad = False
        try:
            result = self._minimize(closure)
        finally:
            engine_state.grad = previous
        for hook in self._hooks_around("post"):
            hook(self, (self, *args), kwargs)
        return result

    def _minimize(self, closure: Callable[[], Any] | None) -> Any:
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        observer = engine_state.observer
        by_ops = type(self)._recorded is not Optimizer._recorded
        for group in self.param_groups:
            for parameter in group["params"]:
                grad = parameter._grad
                if grad is None:
                    continue
                if group.get("capturable"):
                    raise errors.optimizer_capturable(self._captured, self._capturing)
                if group.get("differentiable"):
                    with enable_grad():
                        self._recorded(parameter, grad, group, self.state[parameter])
                    continue
                memory = share(parameter)
                if type(memory) is Coo:
                    raise errors.sparse_unavailable("an optimizer of sparse parameters")
                meter.charge(2 + (memory.size >> {"f": 10, "d": 9}.get(memory.dtype.char, 7)))
                if observer is not None:
                    observer.before_write(memory)
                if memory.dtype == BFLOAT16 and by_ops:  # rounded after each
                    with unobserved():
                        self._recorded(parameter, grad, group, self.state[parameter])
                    if observer is not None:
                        observer.wrote(parameter)
                    continue
                kept = self.state[parameter] if self._keeps_state(group) else {}
                update = self._update_pairs if memory.dtype.kind == "c" else self._update
                if memory.dtype == BFLOAT16:
                    update = self._update_short
                if type(grad._array) is Coo:
                    update = self._update_sparse
                writes = update(memory, grad._array, group, kept)
                parameter._version_counter.n += writes or self._writes
                if observer is not None:
                    observer.wrote(parameter)
        return loss

    def _keeps_state(self, group: Group) -> bool:
        """Whether parameters of the group get an entry in `state`."""
        return True

    def _update_pairs(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int | None:
        """`_update` for complex numbers, which count as pairs of real ones, in the state, too."""
        real = parameter.real.dtype
        values = np.ascontiguousarray(parameter).reshape(-1).view(real)
        held = [t for t in state.values() if isinstance(t, Tensor) and t._array.dtype.kind == "c"]
        for t in held:
            t._array = np.ascontiguousarray(t._array).reshape(-1).view(real)
        writes = self._update(values, np.ascontiguousarray(grad).reshape(-1).view(real), group, state)
        for t in state.values():
            if isinstance(t, Tensor) and t._array.shape == values.shape:
                t._array = t._array.view(parameter.dtype).reshape(parameter.shape)
        parameter[...] = values.view(parameter.dtype).reshape(parameter.shape)
        return writes

    def _update_short(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int | None:
        """`_update` for bfloat16: in float32, rounded once, the state, too."""
        for t in _kept(state):
            t._array = t._array.astype(np.float32)
        values = parameter.astype(np.float32)
        writes = self._update(values, grad.astype(np.float32), group, state)
        parameter[...] = values
        for t in _kept(state):
            t._array = t._array.astype(BFLOAT16)
        return writes

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int | None:
        """Change `parameter`, an array, in place; returns how many writes PyTorch would count, if not `_writes`."""
        raise NotImplementedError

    def _update_sparse(self, parameter: Any, grad: Coo, group: Group, state: dict[str, Any]) -> int | None:
        """`_update` for a sparse gradient, which few optimizers take."""
        ours = ("torch.optim", "engine.optim")
        own = next(cls.__name__ for cls in type(self).__mro__ if cls.__module__.startswith(ours))
        raise errors.sparse_gradients_unsupported(_TOGETHER.get(own, own))

    def _recorded(self, parameter: Tensor, grad: Tensor, group: Group, state: dict[str, Any]) -> None:
        """The same by ops, for `differentiable=True`."""
        raise NotImplementedError

    # Hooks

    def _hooks_around(self, when: str) -> list[Callable[..., Any]]:
        """The hooks to call before or after a step; none of its own if a user's class never called `__init__`."""
        own = self.__dict__.get(f"_optimizer_step_{when}_hooks", {}).values()
        of_all = _hooks_of_all[when].values()
        return [*of_all, *own] if when == "pre" else [*own, *of_all]

    def _watch_step(self) -> None:
        """Take note from now on whether `step` was called."""
        if self._opt_called is None:
            self._opt_called = False
        self._hook_own_step()

    def _hook_own_step(self) -> None:
        """Let the `step` of a user's class, which does not know of hooks, call them and take note."""
        own = type(self).step
        if own is Optimizer.step or "step" in self.__dict__:
            return

        def step(*args: Any, **kwargs: Any) -> Any:
            if self._opt_called is False:
                self._opt_called = True
            for hook in self._hooks_around("pre"):
                replaced = hook(self, (self, *args), kwargs)
                if replaced is not None:
                    if not (isinstance(replaced, tuple) and len(replaced) == 2):
                        raise errors.step_pre_hook(_written_in(self), replaced)
                    (_, *args), kwargs = replaced
            result = own(self, *args, **kwargs)
            for hook in self._hooks_around("post"):
                hook(self, (self, *args), kwargs)
            return result

        self.__dict__["step"] = step

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        self._hook_own_step()
        return self._optimizer_step_pre_hooks.add(hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        self._hook_own_step()
        return self._optimizer_step_post_hooks.add(hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`."""
        return self._saving["before saving"].add(hook, first=prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; what it returns replaces it."""
        return self._saving["after saving"].add(hook, first=prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before loading; what it returns is loaded instead."""
        return self._saving["before loading"].add(hook, first=prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return self._saving["after loading"].add(hook, first=prepend)

    # Saving

    def state_dict(self) -> dict[str, Any]:
        """State and groups, with parameters replaced by their numbers."""
        for hook in list(self._saving["before saving"].values()):
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        packed_state: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in list(self._saving["after saving"].values()):
            replaced = hook(self, packed_state)
            if replaced is not None:
                packed_state = replaced
        return packed_state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` gave."""
        state_dict = state_dict.copy()
        for hook in list(self._saving["before loading"].values()):
            replaced = hook(self, state_dict)
            if replaced is not None:
                state_dict = replaced
        given = state_dict["param_groups"]
        if len(given) != len(self.param_groups):
            raise errors.optimizer_state_groups()
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(self.param_groups, given, strict=True)):
            raise errors.optimizer_state_group_size()
        numbers = chain.from_iterable(group["params"] for group in given)
        parameters = chain.from_iterable(group["params"] for group in self.param_groups)
        by_number = dict(zip(numbers, parameters, strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                state[by_number[key]] = _cast(by_number[key], value)
            else:
                state[key] = value
        groups = []
        for group, old in zip(given, self.param_groups, strict=True):
            merged = {**deepcopy({k: v for k, v in group.items() if k != "params"}), "params": old["params"]}
            if "param_names" in old:
                merged["param_names"] = old["param_names"]
            groups.append(merged)
        if type(self)._update is not Optimizer._update:
            late = {**_LATE, **self._late}
            for group, key in product(groups, late):
                if key in self.defaults:
                    group.setdefault(key, late[key])
        self.state, self.param_groups = state, groups
        for hook in list(self._saving["after loading"].values()):
            hook(self)


@cache
def _closure(owner: str) -> Callable[..., Any]:
    """The step of a class as far as its argument, which it returns: other arguments are refused in its name."""

    def step(self: Optimizer, closure: Callable[[], Any] | None = None) -> Callable[[], Any] | None:
        return closure

    step.__qualname__ = f"{owner}.step"
    return step


def _written_in(optimizer: Optimizer) -> str:
    """The name of the class that defines the step of an optimizer."""
    steps = {"step", "_update", "_minimize"}
    return next(kind.__name__ for kind in type(optimizer).__mro__ if not steps.isdisjoint(vars(kind)))


def _cast(parameter: Tensor, value: Any, key: str | None = None) -> Any:
    """A copy of loaded state in the dtype of its parameter; counters of steps keep theirs."""
    if isinstance(value, Tensor):
        if value.is_sparse:
            return constant(value._array.copy())
        meter.allocate(value._array.size, value._array.itemsize)
        array = np.array(value._array, copy=True)
        if key != "step" and parameter._array.dtype.kind in dtypes.FLOATING:
            array = array.astype(parameter._array.dtype)
        return constant(array if array.ndim else array[()])
    if isinstance(value, dict):
        return {k: _cast(parameter, v, k) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_cast(parameter, v) for v in value)
    return value


def by_ops(self: Optimizer, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
    """`_update` of an optimizer whose step is written once, for `differentiable=True`, too: by ops."""
    memory = constant(parameter)
    with unobserved():
        self._recorded(memory, constant(grad), group, state)
    if memory._array is not parameter:
        parameter[...] = memory._array
    return memory._version


def next_step(state: dict[str, Any]) -> float:
    """Count a step in `state['step']`, a float32 tensor as PyTorch keeps it; returns the number of the step."""
    step: Tensor = state["step"]
    step._array = np.float32(step._array + 1)
    return float(step._array)


def number(value: Any) -> float:
    """An option that may be given as a tensor."""
    return float(value.item()) if isinstance(value, Tensor) else value


def check(**options: Any) -> None:
    """ValueError for the first option that is negative, a rate that is a tensor of several, betas outside [0, 1)."""
    for name, value in options.items():
        if name == "betas":
            for index in range(2 if not hasattr(value, "__len__") else max(len(value), 2)):
                if not 0.0 <= value[index] < 1.0:
                    raise errors.optimizer_beta(index, value[index])
        elif name == "lr" and isinstance(value, Tensor) and value.numel() != 1:
            raise errors.optimizer_lr_tensor()
        elif not 0.0 <= value:
            raise errors.optimizer_value(_CALLED.get(name, f"{name} value"), value)


_CALLED = {"lr": "learning rate", "eps": "epsilon value"}


FUSED_UP_TO = 4096


def _block_rounded_once() -> int:
    """Multiples of how many numbers BLAS computes `a * x + y` of with fused multiply-adds here; 0 if it does not.

    Its loop takes 32 or 64 numbers at a time. What the loop leaves over is rounded twice by some of its kernels.
    """
    x, y = np.random.default_rng(0).standard_normal((2, 256)).astype(np.float32)
    expected = (x.astype(np.float64) * np.float32(0.3) + y).astype(np.float32)

    def right(size: int) -> bool:
        return np.array_equal(saxpy(x[:size], y[:size].copy(), a=0.3), expected[:size])

    return next((block for block in (1, 32, 64) if all(map(right, range(block, len(x) + 1, block)))), 0)


_BLOCK = _block_rounded_once()


def add_scaled(target: Any, x: Any, scale: float) -> bool:
    """`target += scale · x` in place and rounded once, by BLAS; False, and nothing done, where it would not apply."""
    if not (_BLOCK and target.dtype == x.dtype == np.float32 and target.shape == x.shape and target.size):
        return False
    if not (type(target) is type(x) is np.ndarray and target.flags.c_contiguous and x.flags.c_contiguous):
        return False
    sums, terms = target.reshape(-1), x.reshape(-1)
    if rest := target.size % _BLOCK:
        sums[-rest:] = terms[-rest:].astype(np.float64) * np.float32(scale) + sums[-rest:]
        sums, terms = sums[:-rest], terms[:-rest]
    if sums.size:
        saxpy(terms, sums, a=scale)
    return True


def fused(x: Any, y: Any, c: Any) -> Any:
    """`x * y + c` rounded once, as PyTorch's kernels compute it; larger arrays are rounded twice, which is faster."""
    if isinstance(y, float) and type(c) is np.ndarray:
        out = c.copy()
        if add_scaled(out, x, y):
            return out
    if c.dtype != np.float32 or c.size > FUSED_UP_TO:
        product = x * y
        return np.add(product, c, out=product) if product.ndim else product + c
    if isinstance(y, float):
        y = np.float32(y)
    return (np.multiply(x, y, dtype=np.float64) + c).astype(np.float32)


def subtract(parameter: Any, step: Any, lr: float) -> None:
    """`parameter -= lr · step`, in place."""
    if add_scaled(parameter, step, -lr):
        return
    if parameter.dtype != np.float32 or parameter.size > FUSED_UP_TO:
        parameter -= step * lr
    else:
        parameter[...] = fused(step, -lr, parameter)


def towards(mean: Any, values: Any, weight: float) -> Any:
    """`lerp`: `mean` moved by a share of `weight` towards `values`."""
    if weight < 0.5:
        return fused(values - mean, weight, mean)
    return fused(mean - values, float(np.float32(1) - np.float32(weight)), values)


def add_square(total: Any, grad: Any, weight: float) -> Any:
    """`addcmul`: `total + weight · grad²`."""
    return fused(grad * weight, grad, total) if weight != 1 else fused(grad, grad, total)


def penalised(parameter: Any, grad: Any, group: Group) -> Any:
    """The gradient to descend: negated for `maximize`, with the gradient of `weight_decay` added."""
    if group.get("maximize"):
        grad = -grad
    decay = number(group["weight_decay"])
    return fused(parameter, decay, grad) if decay != 0 else grad
