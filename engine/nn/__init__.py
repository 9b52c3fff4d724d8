"""`torch.nn`: modules, containers, parameters, initialisation."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from engine import errors
from engine.nn import attention, functional, init, parallel, parameter, utils  # noqa: F401 - PyTorch's submodules
from engine.nn import module as _module_file
from engine.nn.module import Module
from engine.nn.parallel import DataParallel  # noqa: F401
from engine.nn.parameter import (  # noqa: F401
    Buffer,
    Parameter,
    UninitializedBuffer,
    UninitializedParameter,
)

_FILES = (
    "activation", "adaptive", "batchnorm", "channelshuffle", "container", "conv", "distance", "dropout", "flatten",
    "fold", "instancenorm", "lazy", "linear", "loss", "normalization", "padding", "pixelshuffle", "pooling", "rnn",
    "sparse", "transformer", "upsampling",
)  # fmt: skip
_PRIVATE = ("NonDynamicallyQuantizableLinear",)
_BASES = frozenset(
    "_AdaptiveAvgPoolNd _AdaptiveMaxPoolNd _AvgPoolNd _BatchNorm _ConstantPadNd _ConvNd _ConvTransposeNd _DropoutNd"
    " _InstanceNorm _Loss _LPPoolNd _MaxPoolNd _MaxUnpoolNd _NormBase _WeightedLoss".split()
)
"""Base classes that PyTorch has under the same names, which programs derive from and ask `isinstance` about."""

_FUNCTIONS = {"transformer": ("_get_activation_fn", "_get_clones")}
"""Private functions that scripts import from where PyTorch has them, too."""

modules = ModuleType("torch.nn.modules")
for _file in _FILES:
    _module = import_module(f"engine.nn.{_file}")
    setattr(modules, _file, _module)
    _offered: list[str] = []
    for _name, _value in vars(_module).items():
        if isinstance(_value, type) and issubclass(_value, Module) and _value.__module__ == _module.__name__:
            # type(layer) prints where PyTorch has the class
            _value.__module__ = f"torch.nn.modules.{_file}"
            if not _name.startswith("_") or _name in _BASES:
                _offered.append(_name)
            if not _name.startswith("_") and _name not in _PRIVATE:
                globals()[_name] = _value
                setattr(modules, _name, _value)
    _offered += _FUNCTIONS.get(_file, ())
    _module.__all__ = _offered  # type: ignore[attr-defined]
modules.Module = Module  # type: ignore[attr-defined]
modules.module = _module_file  # type: ignore[attr-defined]
_module_file.__all__ = [  # type: ignore[attr-defined]
    *(
        name
        for name, value in vars(_module_file).items()
        if name[0] != "_" and str(getattr(value, "__module__", "")).startswith(("engine", "torch"))
    ),
    "_IncompatibleKeys",
    "_addindent",
]
modules.__all__ = [name for name in vars(modules) if not name.startswith("_")]  # type: ignore[attr-defined]

__all__ = sorted(
    [name for name, value in globals().items() if isinstance(value, type) and issubclass(value, Module)]
    + ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter"]
    + ["attention", "functional", "init", "modules", "parallel", "parameter", "utils"]
)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.nn", name)
