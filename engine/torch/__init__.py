"""The `torch` namespace on Backlight's engine: `import engine.torch as torch`.

Names that PyTorch has and Backlight has not yet raise NotImplementedError when they are used.
`stand_in()` gives the names under which scripts import PyTorch's modules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import engine.composites
import engine.composites.to_python
import engine.composites.creation
import engine.composites.aliases
import engine.ops
from engine.types import dtypes, printing
from engine import errors
from engine.codegen import publish
from engine.composites.bindings import bind_module
from engine.core import grad_mode
from engine.autograd.api import Variable
from engine.types.dtypes import Size, device, dtype, finfo, iinfo, layout, memory_format
from engine.memory import keep_freed_memory
from engine.core.grad_mode import (
    enable_grad,
    inference_mode,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_anomaly_enabled,
    set_grad_enabled,
)
from engine.kernels.random import Generator, default_generator
from engine.core.tensor import Parameter, Tensor
from engine.torch import (
    autograd,
    compiler,
    distributions,
    fft,
    func,
    hardware,
    jit,
    library,
    linalg,
    masked,
    random,
    serialization,
    signal,
    sparse,
    special,
    testing,
    utils,
)
from engine import nn, optim
from engine.types import return_types
from engine.torch.internals import INTERNALS
from engine.torch.serialization import load, save
from engine.torch.standing import stand_in

__version__ = "2.13.0+cpu"

np.seterr(all="ignore")  # PyTorch computes NaN and infinity silently
keep_freed_memory()

pi, e, inf, nan = 3.141592653589793, 2.718281828459045, float("inf"), float("nan")
newaxis = None
float_types = None
has_lapack = has_mkl = has_openmp = has_spectral = True

for _name, _value in {**dtypes.NAMES, "bool": dtypes.bool_}.items():
    globals()[_name] = _value
for _name in ("strided", "sparse_coo", "contiguous_format", "preserve_format", "channels_last", "channels_last_3d"):
    if hasattr(dtypes, _name):
        globals()[_name] = getattr(dtypes, _name)
globals().update(publish.TORCH)
globals().update(INTERNALS)

get_default_dtype = dtypes.get_default
set_default_dtype = dtypes.set_default
set_printoptions = printing.set_printoptions
vmap = func.vmap
compile = compiler.compile


def promote_types(type1: Any, type2: Any) -> Any:
    """The smallest dtype that both can become."""
    return dtypes.promote_types(_dtype("promote_types", "type1", 1, type1), _dtype("promote_types", "type2", 2, type2))


def can_cast(from_: Any, to: Any) -> Any:
    """Whether a result of one dtype may be written into a tensor of the other."""
    return dtypes.can_cast(_dtype("can_cast", "from_", 1, from_), _dtype("can_cast", "to", 2, to))


def _dtype(function: str, argument: str, position: int, value: Any) -> Any:
    asked = dtypes.asked(value)
    if not isinstance(asked, dtypes.dtype):
        raise errors.argument_type(function, argument, position, "torch.dtype", value)
    return asked


def is_tensor(obj: Any) -> bool:
    """Whether `obj` is a tensor."""
    return isinstance(obj, Tensor)


def _tensor(function: str, input: Any) -> Tensor:
    if not isinstance(input, Tensor):
        raise errors.argument_type(function, "input", 1, "Tensor", input)
    return input


def is_floating_point(input: Tensor) -> bool:
    """Whether the tensor's dtype is a floating point one."""
    return _tensor("is_floating_point", input).dtype.is_floating_point


def is_complex(input: Tensor) -> bool:
    """Whether the tensor's dtype is complex."""
    return _tensor("is_complex", input).dtype.is_complex


def numel(input: Tensor) -> int:
    """Number of elements."""
    return _tensor("numel", input)._array.size  # type: ignore[no-any-return]  # `int` is a dtype here


version = hardware.Namespace(
    "torch.version",
    __version__=__version__, cuda=None, debug=False, git_version="cf30153c4c131c8164ee7798e5022d810682e2cb", hip=None,
    rocm=None, xpu=None,
)  # fmt: skip
globals().update({name: getattr(hardware, name) for name in hardware.__all__})
bind_module("torch", globals())

_PRIVATE = {
    "INTERNALS", "annotations", "bind_module", "sys", "np", "engine", "surface", "dtypes", "printing", "Any", "modes",
    "errors", "hardware",
}  # fmt: skip
__all__ = sorted(
    name for name in globals() if (name[0] != "_" or name.startswith("_foreach_")) and name not in _PRIVATE
)


def __getattr__(name: str) -> Any:
    built = hardware.was_built(name)
    if built is not None:
        return built
    raise errors.module_attribute("torch", name)
