"""`state_dict` and `load_state_dict`."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from engine import errors
from engine.core.grad_mode import no_grad
from engine.core.tensor import Parameter, Tensor

EXTRA_STATE = "_extra_state"
ASSIGNED = "assign_to_params_buffers"
"""The key of the metadata by which PyTorch says that tensors replace what was there."""


class _IncompatibleKeys(namedtuple("_Keys", ("missing_keys", "unexpected_keys"))):
    """What `load_state_dict` returns."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"

    __str__ = __repr__


def is_lazy(value: Any) -> bool:
    """Whether a parameter or buffer has no shape yet."""
    return hasattr(value, "materialize")


def _persistent_buffers(module: Any) -> dict[str, Tensor | None]:
    return {n: b for n, b in module._buffers.items() if n not in module._non_persistent_buffers_set}


def save(module: Any, destination: OrderedDict[str, Any] | None, prefix: str, keep_vars: bool) -> OrderedDict[str, Any]:
    """Collect the state of a module and of all below it."""
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()  # type: ignore[attr-defined]  # as PyTorch keeps it
    metadata = {"version": module._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = metadata
    for hook in list(module._state_dict_pre_hooks.values()):
        hook(module, prefix, keep_vars)
    module._save_to_state_dict(destination, prefix, keep_vars)
    for name, child in module._modules.items():
        if child is not None:
            child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for number, hook in list(module._state_dict_hooks.items()):
        replaced = hook(module, destination, prefix, metadata)
        if replaced is not None:
            if number not in module.__dict__.get("_replacing_hooks", ()):
                raise errors.state_dict_hook_result()
            destination = replaced
    return destination


def save_own(module: Any, destination: Any, prefix: str, keep_vars: bool) -> None:
    """Add what a module itself holds."""
    for name, value in [*module._parameters.items(), *_persistent_buffers(module).items()]:
        if value is not None:
            destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()
    if module._has_extra_state():
        destination[prefix + EXTRA_STATE] = module.get_extra_state()


def load(module: Any, state_dict: Any, strict: bool, assign: bool) -> _IncompatibleKeys:
    """Copy a state into a module and all below it, and say which keys did not match."""
    if not isinstance(state_dict, Mapping):
        raise errors.state_dict_type(state_dict)
    missing: list[str] = []
    unexpected: list[str] = []
    problems: list[str] = []
    metadata = getattr(state_dict, "_metadata", None)
    remaining = OrderedDict(state_dict)
    _load_into(module, remaining, {} if metadata is None else metadata, "", assign, missing, unexpected, problems)
    if strict:
        if unexpected:
            problems.insert(0, errors.state_dict_unexpected(unexpected))
        if missing:
            problems.insert(0, errors.state_dict_missing(missing))
    if problems:
        raise errors.state_dict_mismatch(type(module).__name__, problems)
    return _IncompatibleKeys(missing, unexpected)


def _load_into(
    module: Any,
    state: OrderedDict[str, Any],
    metadata: Mapping[str, Any],
    prefix: str,
    assign: bool,
    missing: list[str],
    unexpected: list[str],
    problems: list[str],
) -> None:
    local = metadata.get(prefix[:-1], {})
    if assign:
        local[ASSIGNED] = assign
    module._load_from_state_dict(state, prefix, local, True, missing, unexpected, problems)
    for name, child in module._modules.items():
        if child is not None:
            below = OrderedDict((k, v) for k, v in state.items() if k.startswith(f"{prefix}{name}."))
            _load_into(child, below, metadata, f"{prefix}{name}.", assign, missing, unexpected, problems)
    for hook in list(module._load_state_dict_post_hooks.values()):
        if hook(module, _IncompatibleKeys(missing, unexpected)) is not None:
            raise errors.load_hook_returned()


def _put(module: Any, name: str, value: Tensor, given: Tensor, assign: bool) -> None:
    """Copy a given tensor into what a module holds, or `assign` it in its place."""
    with no_grad():
        if not assign:
            value.copy_(given)
        elif isinstance(value, Parameter):
            replacement = given if isinstance(given, Parameter) else Parameter(given, value.requires_grad)
            module._parameters[name] = replacement
        else:
            module._buffers[name] = given


def load_own(
    module: Any,
    state: Any,
    prefix: str,
    local: Any,
    strict: bool,
    missing: list[str],
    unexpected: list[str],
    problems: list[str],
) -> None:
    """Copy what a module itself holds, and note what does not match."""
    for hook in list(module._load_state_dict_pre_hooks.values()):
        hook(module, state, prefix, local, strict, missing, unexpected, problems)
    assign = local.get(ASSIGNED, False)
    own = {**module._parameters, **_persistent_buffers(module)}
    for name, value in own.items():
        if value is None:
            continue
        key = prefix + name
        if key not in state:
            known = name != "num_batches_tracked" or (local.get("version") or 1) > 1
            if strict and known:  # states of old have not counted batches
                missing.append(key)
            continue
        given = state[key]
        if not isinstance(given, Tensor):
            problems.append(errors.state_dict_not_tensor(key, given))
            continue
        if is_lazy(value):  # two modules without a shape
            continue
        if value.ndim == 0 and given.ndim == 1:
            given = given[0]
        if given.shape != value.shape:
            problems.append(errors.state_dict_size(key, tuple(given.shape), tuple(value.shape)))
            continue
        try:
            _put(module, name, value, given, assign)
        except Exception as error:
            problems.append(errors.state_dict_copying(key, tuple(value.shape), tuple(given.shape), error.args))
    if module._takes_extra_state():
        if prefix + EXTRA_STATE in state:
            module.set_extra_state(state[prefix + EXTRA_STATE])
        elif strict:
            missing.append(prefix + EXTRA_STATE)
    elif strict and prefix + EXTRA_STATE in state:
        unexpected.append(prefix + EXTRA_STATE)
    for key in state if strict else ():
        if key.startswith(prefix) and key != prefix + EXTRA_STATE:
            head, dot, _ = key[len(prefix) :].partition(".")
            if (head not in module._modules) if dot else (own.get(head) is None):
                unexpected.append(key)
