"""Which functions and methods ask `__torch_function__`, and under which names PyTorch has them."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from engine.codegen.publish import NAMESPACES
from engine.core.tensor import Tensor
from engine.signatures.native import TABLE, known
from engine.torch import autograd

NAME = "__torch_function__"

NEVER = frozenset(
    "are_deterministic_algorithms_enabled broadcast_shapes can_cast compile from_dlpack from_numpy frombuffer"
    " get_default_dtype get_rng_state initial_seed is_anomaly_enabled is_grad_enabled is_tensor is_storage load"
    " manual_seed promote_types result_type save seed set_default_device set_default_dtype set_default_tensor_type"
    " set_printoptions set_rng_state typename use_deterministic_algorithms vmap".split()
)
"""Functions of `torch` that nobody is asked about."""
NEVER_METHODS = {"as_subclass", "new"}
FACTORIES = frozenset(
    "arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided eye full"
    " hamming_window hann_window kaiser_window linspace logspace normal ones rand randint randn randperm range"
    " scalar_tensor tensor tril_indices triu_indices vander zeros".split()
)
"""Functions that only modes are asked about."""
_IN_FUNCTIONAL = frozenset(
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul einsum istft lu"
    " meshgrid norm pca_lowrank split stft svd_lowrank tensordot unique unique_consecutive unravel_index".split()
)
"""Functions of `torch` that are written in Python."""
SPACES = {
    "torch": "torch",
    "nn": "torch.nn.functional",
    "special": "torch.special",
    "linalg": "torch.linalg",
    "fft": "torch.fft",
}
"""Where functions are published, and the modules of PyTorch that have them."""

CALLED = {
    **{f"__{name}__": name for name in "add sub mul pow matmul neg abs lt le gt ge ne".split()},
    "__radd__": "add", "__rmul__": "mul", "__truediv__": "div", "__mod__": "remainder", "__pos__": "positive",
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
}  # fmt: skip
"""Operators that PyTorch has another method do."""
NAMED = {"__rtruediv__": "__rdiv__"}
"""Methods that call themselves otherwise."""
BINARY = frozenset(
    f"__{side}{name}__"
    for side in ("", "r", "i")
    for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
) | {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
OTHERS = frozenset(
    f"__{name}__"
    for name in "neg pos abs invert getitem setitem len bool float int complex repr format contains reversed".split()
)
_IN_C = frozenset("__eq__ __and__ __or__ __xor__ __invert__ __getitem__ __setitem__ __bool__ __float__ __int__".split())


def paths(offered: Mapping[str, Any] | None = None) -> dict[Any, str]:
    """PyTorch's functions → their names with their modules; `offered`: the names that a module may offer."""
    found: dict[Any, str] = {}
    for space, path in SPACES.items():
        for name, function in NAMESPACES[space].items():
            if type(function) is not FunctionType or name in NEVER or offered and name not in offered[path]:
                continue
            module = "torch.functional" if space == "torch" and name in _IN_FUNCTIONAL else path
            if function not in found or function.__name__ == name and found[function].startswith(f"{module}."):
                found[function] = f"{module}.{name}"
    for function in (autograd.grad, autograd.backward):
        found[function] = f"torch.autograd.{function.__name__}"
    return found


def path_in_c(path: str) -> bool:
    """Whether PyTorch has written a function in C, which tells of no keywords where there are none."""
    space, _, name = path.rpartition(".")
    return space not in ("", "torch.functional") and known(space.rpartition(".")[2], name)


def method_in_c(name: str) -> bool:
    """The same of a method of tensors."""
    return name in _IN_C or known("Tensor", name)


def takes_nothing(name: str) -> bool:
    """Whether a method has no parser of arguments, which would look for those that are asked."""
    return TABLE["Tensor"].get(name, ["."])[0].startswith("T")


def public_name(path: str) -> str:
    """How errors call a function."""
    if path_in_c(path) and path.startswith("torch.nn.functional."):
        return f"torch.nn.{path.rpartition('.')[2]}"
    return path


def public_method(name: str) -> str:
    """How errors call a method of tensors."""
    return f"torch.Tensor.{name}" if method_in_c(name) else f"torch._tensor.{name}"


def members(offered: frozenset[str] | None = None) -> dict[str, Any]:
    """Members of Tensor that ask: methods, operators, and attributes that are computed."""
    names = offered or frozenset(name for name in vars(Tensor) if not name.startswith("_"))
    names = names - NEVER_METHODS | BINARY | OTHERS | {"__array__"}
    found = {name: Tensor.__dict__[name] for name in sorted(names) if name in Tensor.__dict__}
    return found | {name: Tensor.__dict__[name] for name in ("_version", "_base", "_backward_hooks")}
