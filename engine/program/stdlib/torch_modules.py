"""Modules of PyTorch whose names are known here from other modules, and `torch.serialization`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import overrides
from engine.program.bridge import ONLY_IN_PROGRAMS, torch_module
from engine.program.exceptions import class_of
from engine.program.operators import items, iterable_value
from engine.program.stdlib.io import SERIALIZATION
from engine.program.stdlib.torch_flags import FLAGS
from engine.program.values import UNSET, Builtin, Module
from engine.torch.autograd.gradcheck import GradcheckError
from engine.torch.standing import COLLECTED


def _collected(where: str, names: str) -> dict[str, Any]:
    found = {name: torch_module(where).find(name) for name in names.split()}
    return {name: value for name, value in found.items() if value is not UNSET}


def _tuple_of(n: int) -> Callable[[Any], tuple[Any, ...]]:
    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(items(x)) if iterable_value(x) else (x,) * n

    return parse


def _ntuple(n: int) -> Builtin:
    meter.check_length(8 * n)
    return Builtin("parse", _tuple_of(n))


def _reverse_repeat_tuple(t: Any, n: int) -> tuple[Any, ...]:
    found = list(items(t))
    meter.allocate(len(found) * max(0, n), 8)
    return tuple([x for x in reversed(found) for _ in range(n)])


_GRADCHECK = "torch.autograd.gradcheck"  # a function of this name hides the module, but for `from … import`
MODULES: dict[str, dict[str, Any]] = {
    _GRADCHECK: {**_collected("torch.autograd", "gradcheck gradgradcheck"), "GradcheckError": class_of(GradcheckError)},
    **{module: _collected(*there) for module, there in COLLECTED.items()},
    "torch.serialization": SERIALIZATION,
    "torch.overrides": overrides.MODULE,
    "torch._C": {
        "_disabled_torch_function_impl": overrides.DISABLED,
        "DisableTorchFunction": overrides.DisableTorchFunction,
        "DisableTorchFunctionSubclass": overrides.DisableTorchFunctionSubclass,
    },
    "torch.nn.modules.utils": {
        "_ntuple": Builtin("_ntuple", _ntuple),
        "_reverse_repeat_tuple": Builtin("_reverse_repeat_tuple", _reverse_repeat_tuple),
        **{
            f"_{name}": Builtin("parse", _tuple_of(n))
            for n, name in enumerate(("single", "pair", "triple", "quadruple"), 1)
        },
    },
}
ONLY_IN_PROGRAMS |= {name: Module.of(name, contents) for name, contents in MODULES.items() if name != _GRADCHECK}
ONLY_IN_PROGRAMS |= FLAGS
