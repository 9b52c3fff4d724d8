"""Calling a module with other parameters than its own."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.tensor import Tensor

__all__ = ["functional_call"]


def functional_call(
    module: Any,
    parameters_and_buffers: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other parameters (deprecated: `torch.func.functional_call`)."""
    errors.warn_stateless()
    return call_with(module, parameters_and_buffers, args, kwargs, tie_weights, strict)


def merged(dicts: Any) -> dict[str, Any]:
    """One dict of several with different keys."""
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, list | tuple):
        raise errors.functional_call_dicts(type(dicts))
    if not all(isinstance(part, dict) for part in dicts):
        raise errors.functional_call_parts()
    keys = [key for part in dicts for key in part]
    repeated = [key for key in dict.fromkeys(keys) if keys.count(key) > 1]
    if repeated:
        raise errors.functional_call_repeated(repeated)
    return {key: value for part in dicts for key, value in part.items()}


def call_with(module: Any, given: dict[str, Any], args: Any, kwargs: Any, tie_weights: bool, strict: bool) -> Any:
    """Call a module with other values for some of its parameters and buffers, then put its own back.

    A value for one of several tied names holds for all of them, unless `tie_weights` is False.
    """
    values = _untied(module, given) if tie_weights else given
    if strict:
        own = dict.fromkeys([n for n, _ in module.named_parameters(remove_duplicate=False)])
        own |= dict.fromkeys([n for n, _ in module.named_buffers(remove_duplicate=False)])
        missing, unexpected = [n for n in own if n not in values], [n for n in given if n not in own]
        if missing or unexpected:
            raise errors.functional_call_strict(type(module).__name__, sorted(missing), sorted(unexpected))
    replaced: list[tuple[Any, str, Any]] = []
    try:
        for path, value in values.items():
            replaced.append(_put(module, path, value))
        arguments = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*arguments, **({} if kwargs is None else kwargs))
    finally:
        for table, name, value in reversed(replaced):
            if value is None:
                table.pop(name, None)
            else:
                table[name] = value


def _untied(module: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The values under every name of the tensors that they replace."""
    groups: dict[int, list[str]] = {}
    for names in (module.named_parameters(remove_duplicate=False), module.named_buffers(remove_duplicate=False)):
        for name, tensor in names:
            groups.setdefault(id(tensor), []).append(name)
    values = dict(given)
    for tied in groups.values():
        found = [name for name in tied if name in given]
        if len({id(given[name]) for name in found}) > 1:
            raise errors.functional_call_tied(sorted(found))
        if found:
            values |= dict.fromkeys(tied, given[found[0]])
    return values


def _put(module: Any, path: str, value: Any) -> tuple[Any, str, Any]:
    """Replace one tensor; returns what undoes it: the table it lives in, its name, and what was there."""
    *parents, name = path.split(".")
    for parent in parents:
        if not hasattr(module, parent):
            raise errors.no_member(type(module).__name__, parent)
        module = getattr(module, parent)
    if value is not None and not isinstance(value, Tensor):
        raise errors.functional_call_value(value)
    for table in (module._parameters, module._buffers):
        if name in table:
            known, table[name] = table[name], value
            return table, name, known
    known = getattr(module, name, None)
    if known is not None and not isinstance(known, Tensor):
        raise errors.functional_call_target(name, known)
    module.__dict__[name] = value
    return module.__dict__, name, known
