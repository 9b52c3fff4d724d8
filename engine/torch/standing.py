"""Modules by the names that scripts import: `sys.modules.update(stand_in())`, and `import torch` is this one."""

from __future__ import annotations

import sys
from functools import partial
from importlib.machinery import ModuleSpec
from inspect import unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from engine import errors
from engine.composites import storage
from engine.core.tensor import Tensor
from engine.kernels.random import Generator
from engine.nn import tuples
from engine.torch import distributed, elsewhere, functorch, multiprocessing, overrides, profiler
from engine.torch.compiled import ops
from engine.torch.hardware import Namespace
from engine.torch.overridable import paths
from engine.torch.utils import tensorboard
from engine.types.devices import device, layout, memory_format
from engine.types.dtypes import Size, dtype
from engine.types.naming import call_in_errors
from engine.types.return_types import TYPES

_IN_C = dtype, device, layout, memory_format, Generator, type(Tensor)
_OURS = "engine.nn.", "engine.optim.", "engine.torch."
_PACKAGES = "engine.nn", "engine.optim", "engine.torch"
_ROOMS = (*_PACKAGES, "torch.")
_MODULES = frozenset(Path(__file__).with_name("modules.txt").read_text().split())
"""Modules of ours that PyTorch has by the same name, recorded by `tests.record.surface`."""


def stand_in() -> dict[str, ModuleType]:
    """PyTorch's names of modules, and the modules."""
    names = {name: module for name, module in offered().items() if name in _MODULES} | {"functorch": functorch}
    for name, module in names.items():
        if module.__name__.startswith("engine.") or module.__spec__ is None:
            _name(module, name)
        vars(module).setdefault("__getattr__", partial(_missing, module.__name__))
    read_as_torch()
    return names


def offered() -> dict[str, ModuleType]:
    """All modules by the paths at which they are found from `torch`, also those that PyTorch has not."""
    names = {"torch": sys.modules["engine.torch"]}

    def walk(prefix: str, module: ModuleType) -> None:
        for attribute, value in list(vars(module).items()):
            name = f"{prefix}.{attribute}"
            if isinstance(value, ModuleType) and not attribute.startswith("_") and name not in names:
                if value.__name__.startswith(_ROOMS):
                    names[name] = value
                    walk(name, value)

    walk("torch", names["torch"])
    for name, module in list(sys.modules.items()):  # those that a function of the same name hides, too
        if name.startswith("engine.torch."):
            names.setdefault(name.removeprefix("engine."), module)
        elif name.startswith("engine.nn.utils."):
            names.setdefault(name.replace("engine", "torch", 1), module)
    collected = {
        name: _module(name, {each: getattr(names[where], each) for each in found.split()})
        for name, (where, found) in COLLECTED.items()
        if name not in names
    }
    for name, module in (collected | _ELSEWHERE).items():
        package, _, last = name.rpartition(".")
        names[name] = module
        vars(names[package]).setdefault(last, module)
    return names


def _name(module: ModuleType, name: str) -> None:
    """Have a module say that it is PyTorch's of this name, and not where it lies on this machine."""
    is_package = hasattr(module, "__path__")
    spec = ModuleSpec(name, None, is_package=is_package)
    if isinstance(getattr(module, "__file__", None), str):
        spec.origin = module.__file__ = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
        spec.has_location = True
    module.__name__, module.__spec__, module.__package__, module.__loader__ = name, spec, spec.parent, None


def _missing(module: str, name: str) -> NoReturn:
    raise errors.module_attribute(module, name)


def read_as_torch() -> None:
    """Have functions, methods and classes say that they are where PyTorch has them, without annotations of ours."""
    for kind in _IN_C:
        call_in_errors(kind, f"{kind.__module__}.{kind.__name__}")
    for function, path in paths().items():
        _say(function, path.rpartition(".")[0])
    for name, module in list(sys.modules.items()):
        if name.startswith(_PACKAGES) and "._" not in name:  # PyTorch itself may be here, too
            for value in list(vars(module).values()):
                if isinstance(value, Namespace):
                    for inner in vars(value).values():
                        if type(inner) is FunctionType and inner.__module__ == name:
                            _say(inner, value.__name__)
                elif type(value) is FunctionType and str(value.__module__).startswith("engine."):
                    _say(value, _home(value.__module__, value.__name__))
                elif isinstance(value, type) and value.__module__.startswith(_OURS) and not issubclass(value, tuple):
                    value.__module__ = _home(value.__module__, value.__name__)
                elif isinstance(value, type) and value.__module__.startswith("torch"):
                    home = "torch._tensor" if value is Tensor else value.__module__
                    for method in vars(value).values():
                        if type(method) is FunctionType:
                            _say(method, home)


def _say(function: Any, home: str) -> None:
    function.__module__ = home
    for plain in (function, unwrap(function)):
        plain.__annotations__ = {}
        if "<locals>" in plain.__qualname__:
            plain.__qualname__ = plain.__name__


def _home(room: str, name: str) -> str:
    """Where PyTorch has a function of a module of ours."""
    for home, functions in _HOMES.items():
        if name in functions:
            return home
    for ours, theirs in _PREFIXES.items():
        if room.startswith(ours):
            return theirs + room.removeprefix(ours)
    return "torch"


_HOMES = {
    "torch.random": frozenset("manual_seed seed initial_seed get_rng_state set_rng_state fork_rng".split()),
    "torch.functional": frozenset({"broadcast_shapes"}),
}
_PREFIXES = {
    "engine.torch.batching": "torch.func",
    "engine.torch.func": "torch.func",
    "engine.torch.stateless": "torch.func",
    "engine.torch.jit": "torch.jit._script",
    "engine.torch.compiler": "torch.compiler",
    "engine.torch.": "torch.",
    "engine.nn.functional": "torch.nn.functional",
    "engine.nn.init": "torch.nn.init",
    "engine.nn.utils": "torch.nn.utils",
    "engine.nn.parallel": "torch.nn.parallel",
    "engine.nn.": "torch.nn.modules.",
    "engine.optim.": "torch.optim.",
}
"""Our modules, the more particular before the others, and PyTorch's."""


COLLECTED = {
    "torch.autograd.anomaly_mode": ("torch.autograd", "detect_anomaly set_detect_anomaly"),
    "torch.functional": (
        "torch",
        "Tensor atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist"
        " chain_matmul einsum istft lu meshgrid norm pca_lowrank split stft svd_lowrank tensordot unique"
        " unique_consecutive unravel_index",
    ),
    "torch.types": ("torch", "Size Tensor"),
    **{
        f"torch.optim.{name.lower()}": ("torch.optim", f"{name} Optimizer")
        for name in ("ASGD", "Adadelta", "Adagrad", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop")
    },
    "torch.optim.sparse_adam": ("torch.optim", "Optimizer SparseAdam"),
}
"""Modules whose names are known from other modules → where those are, and which."""


def _module(name: str, names: dict[str, Any]) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(names)
    return made


_ELSEWHERE = {
    "torch._C": _module(
        "torch._C",
        {
            "DisableTorchFunction": overrides.DisableTorchFunction,
            "DisableTorchFunctionSubclass": overrides.DisableTorchFunctionSubclass,
            "Generator": Generator,
            "_disabled_torch_function_impl": overrides._disabled_torch_function_impl,
            "_get_tracing_state": lambda: None,
            "_log_api_usage_once": lambda event: None,
        },
    ),
    "torch._dynamo": elsewhere.dynamo,
    "torch._dynamo.utils": elsewhere.dynamo_utils,
    "torch.ao": elsewhere.ao,
    "torch.ao.quantization": elsewhere.quantization,
    "torch.autograd.profiler": profiler,
    "torch.distributed": distributed,
    "torch.fx": elsewhere.fx,
    "torch.fx.graph_module": elsewhere.fx.graph_module,
    "torch.fx.node": elsewhere.fx.node,
    "torch.fx.proxy": elsewhere.fx.proxy,
    "torch.hub": elsewhere.hub,
    "torch.jit.annotations": elsewhere.jit_annotations,
    "torch.multiprocessing": multiprocessing,
    "torch.nn.modules.utils": tuples,
    "torch.onnx": elsewhere.onnx,
    "torch.ops": ops,
    "torch.overrides": overrides,
    "torch.profiler": profiler,
    "torch.quantization": elsewhere.quantization,
    "torch.return_types": _module("torch.return_types", dict(TYPES)),
    "torch.storage": storage,
    "torch.types": _module(
        "torch.types",
        {
            "Device": device | str | int | None,
            "Number": int | float | bool,
            "Size": Size,
            "Tensor": Tensor,
            "_device": device,
            "_dtype": dtype,
            "_int": int,
            "_size": Size | list[int] | tuple[int, ...],
        },
    ),
    "torch.utils.model_zoo": elsewhere.model_zoo,
    "torch.utils.tensorboard": tensorboard,
}
"""Modules that are called otherwise here."""
