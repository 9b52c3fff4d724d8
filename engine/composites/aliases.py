"""Methods of Tensor as functions of `torch`; losses under PyTorch's native names, whose reduction is a number."""

from __future__ import annotations

from types import MethodType
from typing import Any

from engine import errors
from engine.codegen.publish import FUNCTIONAL, TORCH, public
from engine.composites.losses import check_weight
from engine.composites.margins import of_triplets, ranked
from engine.composites.norm import by_instance
from engine.composites.storage import Storage
from engine.composites.to_python import tensor_type
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types import dtypes
from engine.types.shapes import broadcast_pair

for _name in (
    "clamp_", "clamp_max_", "clamp_min_", "clip_", "detach_", "gcd_", "is_inference", "is_neg", "is_signed",
    "lcm_", "round_", "square_", "xlogy_",
):  # fmt: skip
    TORCH[_name] = getattr(Tensor, _name)


def _native(name: str, *options: str, **defaults: Any) -> None:
    """`torch.<name>(*tensors, *options, reduction=0)`: 0 is no reduction, 1 the mean, 2 the sum."""

    @public("torch", name)
    def loss(*args: Any, reduction: int = 0, **named: Any) -> Any:
        tensors, given = args[: defaults["tensors"]], list(args[defaults["tensors"] :])
        kwargs = dict(zip((*options, "reduction"), given, strict=False)) | named
        kind = kwargs.pop("reduction", reduction)
        return FUNCTIONAL[name](*tensors, **kwargs, reduction={1: "mean", 2: "sum"}.get(kind, "none"))


_native("cosine_embedding_loss", "margin", tensors=3)
_native("hinge_embedding_loss", "margin", tensors=2)
_native("kl_div", tensors=2)
_native("poisson_nll_loss", "log_input", "full", "eps", tensors=2)


@public("torch", "binary_cross_entropy_with_logits")
def native_cross_entropy_of_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 0
) -> Any:
    """`nn.functional.binary_cross_entropy_with_logits` of inputs that broadcast to the targets."""
    check_weight("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    shape = tuple(target.shape)
    if broadcast_pair(shape, tuple(input.shape)) != shape:
        raise errors.inplace_shape(shape, broadcast_pair(shape, tuple(input.shape)))
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


@public("torch", "triplet_margin_loss")
def native_triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 0,
) -> Any:
    """`nn.functional.triplet_margin_loss` whose reduction is a number."""
    return of_triplets(anchor, positive, negative, margin, p, eps, swap, reduction)


@public("torch", "margin_ranking_loss")
def native_margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Any:
    """`nn.functional.margin_ranking_loss` of inputs with any dimensions."""
    return ranked(input1, input2, target, margin, reduction)


@public("torch")
def instance_norm(
    input: Tensor,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Any:
    """`nn.functional.instance_norm` in the native order of arguments."""
    if not use_input_stats and (running_mean is None or running_var is None):
        raise errors.instance_norm_running()
    return by_instance(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@public("torch")
def frobenius_norm(input: Tensor, dim: Any, keepdim: bool = False) -> Any:
    """The root of the sum of squares over dimensions."""
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise errors.norm_input_dtype(input.dtype.type_name)
    dims = tuple(dim) if isinstance(dim, tuple | list) else (dim,)
    if input.is_sparse and dims:
        raise errors.sparse_unavailable("this norm")
    return ops.norm_ScalarOpt_dim(input, 2, dims, keepdim)


@public("torch")
def typename(obj: Any) -> str:
    """`torch.FloatTensor` for a tensor, the name of its class with its module for anything else."""
    if isinstance(obj, Tensor):
        return tensor_type(obj)
    if isinstance(obj, MethodType):
        kind = next((each for each in type(obj.__self__).__mro__ if obj.__name__ in each.__dict__), type(obj.__self__))
        return f"{kind.__module__}.{kind.__qualname__}.{obj.__name__}"
    if not isinstance(obj, type) and hasattr(obj, "__qualname__"):  # a generator, a function
        name = obj.__qualname__
        for room, functions in (("torch._VariableFunctionsClass", TORCH), ("torch.nn.functional", FUNCTIONAL)):
            if functions.get(name) is obj:
                return f"{room}.{name}"
        module = getattr(obj, "module", None) or getattr(obj, "__module__", None) or ""
        shown = module.split(".")[0] not in ("", "builtins", "engine")
        return f"{module}.{obj.__qualname__}" if shown else obj.__qualname__
    kind = obj if isinstance(obj, type) else type(obj)
    return kind.__qualname__ if kind.__module__ in ("", "builtins") else f"{kind.__module__}.{kind.__qualname__}"


@public("torch")
def is_storage(obj: Any) -> bool:
    """Whether it is a storage."""
    return isinstance(obj, Storage)


@public("torch method")
def is_distributed(input: Tensor) -> bool:
    """Never: there is one process."""
    return False


def _of_sparse(name: str, layout: str) -> None:
    @public("method", name, doc="Refused: the tensor is not sparse.")
    def method(self: Tensor) -> Any:
        raise errors.sparse_expected(name, layout)


for _name, _side in {"crow": "row", "col": "row", "ccol": "column", "row": "column"}.items():
    _of_sparse(f"{_name}_indices", f"sparse {_side} compressed")


@public("method")
def float_power_(self: Tensor, exponent: Any) -> Any:
    """`self` to a power, in place; only for float64 and complex128."""
    complex_power = self.is_complex() or isinstance(exponent, complex)
    needed = dtypes.complex128 if complex_power else dtypes.float64
    if self.dtype != needed:
        raise errors.float_power_dtype(self.dtype.type_name, needed.type_name)
    return self.pow_(exponent)


@public("torch method", "conj_physical_")
def conj_physical_(input: Tensor) -> Any:
    """Conjugate in place."""
    return ops.conj_physical_(input)
