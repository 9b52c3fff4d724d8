"""What may be done to a tensor: requires_grad, .grad, in-place writes, views, inference mode."""

from __future__ import annotations

from typing import Any

from engine.errors.arguments import type_name
from engine.errors.backward import short_node_name


def requires_grad_not_bool() -> RuntimeError:
    return RuntimeError("requires_grad must be a bool")


def requires_grad_off_non_leaf() -> RuntimeError:
    return RuntimeError(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
        "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
    )


def requires_grad_non_leaf() -> RuntimeError:
    return RuntimeError("you can only change requires_grad flags of leaf variables.")


def requires_grad_integer(attribute: bool) -> RuntimeError:
    """``attribute``: set as an attribute; otherwise by ``requires_grad_()``."""
    if attribute:
        return RuntimeError("only Tensors of floating point and complex dtype can require gradients")
    return RuntimeError("only Tensors of floating point dtype can require gradients")


def parameter_integer() -> RuntimeError:
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def new_requires_grad_integer() -> RuntimeError:
    """A factory asked for gradients of integers."""
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def retain_grad_without_requires_grad() -> RuntimeError:
    return RuntimeError("can't retain_grad on Tensor that has requires_grad=False")


def grad_not_tensor(value: object) -> TypeError:
    return TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type_name(value)}")


def grad_is_self() -> RuntimeError:
    return RuntimeError("can't assign Variable as its own grad")


def grad_shape(got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"attempting to assign a gradient of size '{list(got)}' to a tensor of size '{list(expected)}'. Please ensure "
        "that the gradient and the tensor are the same size"
    )


def grad_dtype(got: Any, expected: Any) -> RuntimeError:
    return RuntimeError(
        f"attempting to assign a gradient with dtype '{got.cpp_name}' to a tensor with grad_dtype "
        f"'{expected.type_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). "
        "You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
        "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that "
        "assume they match."
    )


def data_not_tensor(value: object) -> TypeError:
    return TypeError(f"Variable data has to be a tensor, but got {type_name(value)}")


def data_integer() -> RuntimeError:
    return RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")


def detach_view() -> RuntimeError:
    return RuntimeError(
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
        "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() "
        "cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
        "torch/optim/optimizer.py as the solution."
    )


def leaf_inplace() -> RuntimeError:
    return RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def leaf_view_inplace() -> RuntimeError:
    return RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")


def overlapping_write() -> RuntimeError:
    return RuntimeError(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )


def partial_overlap() -> RuntimeError:
    """``x[1:].add_(x[:-1])``: reading what is being written."""
    return RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation."
    )


def inplace_shape(shape: tuple[int, ...], broadcast: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"output with shape {list(shape)} doesn't match the broadcast shape {list(broadcast)}"
    )


def addr_sizes(own: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"size mismatch, input: {list(own)}, v1: {list(first)}, v2: {list(second)}")


def addr_dimensions(rank: int) -> RuntimeError:
    return RuntimeError(f"2D tensor expected, got {rank}D tensor for input")


def inplace_sizes(own: tuple[int, ...], result: tuple[int, ...]) -> RuntimeError:
    """As `inplace_shape`, of products of matrices."""
    return RuntimeError(
        f"Bad in-place call: input tensor size {list(own)} and output tensor size {list(result)} should match"
    )


def inplace_dtype(result: str, output: str) -> RuntimeError:
    return RuntimeError(f"result type {result} can't be cast to the desired output type {output}")


def view_modified(origin: str, node: str | None, number: int, indirect: bool) -> RuntimeError:
    """A view that may not be written to. ``origin``: how it was made, as ``DifferentiableViewMeta.creation_meta``."""
    what = "its base or another view of its base has been" if indirect else "is being"
    output = "" if node is None else f"Output {number} of {short_node_name(node)} is a view"
    if origin == "inference" and node is None:
        head = f"A view was created in inference mode and {what} modified inplace in normal mode."
    elif origin in ("inference", "no_grad") or node is None:
        mode = "inference" if origin == "inference" else "no_grad"
        first = f"{output} of a view which" if output else "A view"
        head = f"{first} was created in {mode} mode and {what} modified inplace with grad mode enabled."
    else:
        head = f"{output} and {what} modified inplace."
    tail = {
        "multiple": " This view is the output of a function that returns multiple views. Such functions do not allow "
        "the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
        "no_grad": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
        "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace "
        "to be tracked) or both outside (if you want the inplace to be tracked).",
        "inference": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
        "code by moving both the view and the inplace either both inside the inference_mode block (if you don't want "
        "the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
        "function": " This view was created inside a custom Function (or because an input was returned as-is) and the "
        "autograd logic to handle view+inplace would override the custom backward associated with the custom Function, "
        "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
        "custom Function.",
    }[origin]
    return RuntimeError(head + tail)


def inference_version() -> RuntimeError:
    return RuntimeError("Inference tensors do not track version counter.")


def inference_requires_grad() -> RuntimeError:
    return RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")


def inference_saved() -> RuntimeError:
    return RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
    )


def inference_inplace() -> RuntimeError:
    return RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
        "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
    )


def variable_data(value: object) -> TypeError:
    return TypeError(f"Variable data has to be a tensor, but got {type_name(value)}")
