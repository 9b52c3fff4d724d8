"""Modules by the names that scripts import: `sys.modules.update(stand_in())`, and `import torch` is this one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from engine.composites import storage
from engine.kernels.random import Generator
from engine.nn import tuples
from engine.torch import distributed, elsewhere, functorch, multiprocessing, overrides, profiler
from engine.torch.utils import tensorboard
from engine.types.return_types import TYPES

_ROOMS = "engine.nn", "engine.optim", "engine.torch", "torch."


def stand_in() -> dict[str, ModuleType]:
    """PyTorch's names of modules, and the modules."""
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
    collected = {
        name: _module(name, {each: getattr(names[where], each) for each in found.split()})
        for name, (where, found) in COLLECTED.items()
        if name not in names
    }
    for name, module in (_ELSEWHERE | collected).items():
        package, _, last = name.rpartition(".")
        names[name] = module
        vars(names[package]).setdefault(last, module)
    return names | {"functorch": functorch}


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
        },
    ),
    "torch.autograd.profiler": profiler,
    "torch.distributed": distributed,
    "torch.fx": elsewhere.fx,
    "torch.hub": elsewhere.hub,
    "torch.multiprocessing": multiprocessing,
    "torch.nn.modules.utils": tuples,
    "torch.onnx": elsewhere.onnx,
    "torch.overrides": overrides,
    "torch.profiler": profiler,
    "torch.return_types": _module("torch.return_types", dict(TYPES)),
    "torch.storage": storage,
    "torch.utils.tensorboard": tensorboard,
}
"""Modules that are called otherwise here."""
