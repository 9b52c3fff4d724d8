"""What the schemas of operators say: names, arguments, what they write and whether they give views."""

from __future__ import annotations

from typing import Any

import torch

from ..formulas import underscored
from .values import argument

_RANDOM = frozenset(
    "bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_".split()
    + "set_ resize_ requires_grad_".split()
)
"""In-place operators that keep their underscore: they are no other operator's in-place form."""

_OWN_NAMES = frozenset({"_foreach_add", "__and__", "__or__", "__xor__"})
"""More names that begin with an underscore also where they are shown."""

_UNDECLARED = {"native_batch_norm": (3, 4), "cudnn_batch_norm": (3, 4), "miopen_batch_norm": (3, 4)}
"""Arguments that operators write without saying so: running statistics."""

_UNSET = frozenset("empty empty_like empty_strided empty_permuted".split())
"""Operators that make tensors of what the memory happens to hold."""

_FILLS = (_RANDOM - {"set_", "resize_", "requires_grad_"}) | {"zero_", "fill_", "copy_"}
"""In-place operators that write every element without reading one."""


class Operator:
    """What the schema of an operator says."""

    def __init__(self, func: Any) -> None:
        schema = func._schema
        namespace, _, name = schema.name.partition("::")
        self.overload = f"{name}.{schema.overload_name}" if schema.overload_name else name
        plain = name[:-1] if name.endswith("_") and not name.endswith("__") and name not in _RANDOM else name
        if plain not in _OWN_NAMES and plain not in underscored():
            plain = plain.removeprefix("_").removesuffix("_forward")
        plain = "to" if plain == "to_copy" else plain
        self.name = plain if namespace == "aten" else f"{namespace}::{name}"
        self.silent = name == "lift_fresh"
        self.asks = not any("Tensor" in str(r.type) for r in schema.returns)
        self.detaches = name in ("detach", "detach_")
        self.arguments = [argument.name for argument in schema.arguments]
        self.defaults = {a.name: a.default_value for a in schema.arguments if a.has_default_value()}
        self.written = [
            position
            for position, a in enumerate(schema.arguments)
            if a.alias_info is not None and a.alias_info.is_write
        ] or list(_UNDECLARED.get(name, ()))
        self.unset = name.removeprefix("new_") in _UNSET
        self.fills = name in _FILLS
        self.makes = name.endswith("_like") or name.startswith("new_")
        self.undeclared = name in _UNDECLARED
        self.views = any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)


_KNOWN: dict[int, tuple[Any, Operator]] = {}
"""By identity, as PyTorch computes the hashes of operators in Python; each with the operator, so that it stays."""


def operator_of(func: Any) -> Operator:
    """What is known of an operator."""
    found = _KNOWN.get(id(func))
    if found is None:
        found = _KNOWN[id(func)] = func, Operator(func)
    return found[1]


def given(operator: Operator, position: int, args: Any, kwargs: Any) -> Any:
    return args[position] if position < len(args) else kwargs.get(operator.arguments[position])


def tensors_in(values: Any) -> list[torch.Tensor]:
    """The tensors among the arguments of an op, and in lists of its arguments."""
    found: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += [item for item in value if isinstance(item, torch.Tensor)]
    return found


def arguments(operator: Operator, args: Any, kwargs: Any) -> dict[str, Any] | None:
    """What the call gave besides tensors, without what is the default anyway."""
    found: dict[str, Any] = {}
    named = zip(operator.arguments, args, strict=False)
    for name, value in (*named, *kwargs.items()) if kwargs else named:
        if isinstance(value, torch.Tensor) or value is None or isinstance(value, (tuple, list)) and tensors_in(value):
            continue
        try:
            usual = value == operator.defaults.get(name)
        except NotImplementedError:  # objects of C++, as a group of processes, may refuse to be compared
            usual = False
        if not usual:
            found[name] = argument(value)
    return found or None
