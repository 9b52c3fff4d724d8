"""Running the graph backwards: the arguments of backward() and grad(), and what can go wrong on the way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.errors.arguments import type_name


def root_type() -> AssertionError:
    """What is differentiated is no tensor."""
    return AssertionError("Expected output to be a torch.Tensor")


def input_type(got: object) -> RuntimeError:
    """What the gradient is asked for is no tensor."""
    return RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type_name(got)}")


def backward_twice() -> RuntimeError:
    """A node whose saved tensors are gone."""
    return RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward."
    )


def modified_inplace(
    kind: str,
    shape: Sequence[int],
    node: str | None,
    number: int,
    version: int,
    expected: int,
    anomaly: bool = False,
) -> RuntimeError:
    """A saved tensor of type ``kind`` was written to since. ``node``: name of the tensor's current grad_fn."""
    origin = "" if node is None else f", which is output {number} of {short_node_name(node)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
        "question was changed in there or anywhere later. Good luck!"
        if anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind} {list(shape)}]{origin} is at version {version}; expected version {expected} instead. Hint: {hint}"
    )


def short_node_name(name: str) -> str:
    """``MulBackward0`` → ``Mul``, ``MaxBackward1`` → ``Max1``, as error texts name nodes."""
    return re.sub(r"Backward(?:0?$|(?=\d+$))", "", name)


def input_without_requires_grad() -> RuntimeError:
    return RuntimeError("One of the differentiated Tensors does not require grad")


def wrong_gradient_count(node: str, expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Function {node} returned an invalid number of gradients - expected {expected}, but got {got}"
    )


def invalid_gradient(node: str, index: int, got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Function {node} returned an invalid gradient at index {index} - got {list(got)} but expected shape "
        f"compatible with {list(expected)}"
    )


def returned_nan(node: str, index: int) -> RuntimeError:
    return RuntimeError(f"Function '{node}' returned nan values in its {index}th output.")


def implicit_gradient_non_scalar() -> RuntimeError:
    return RuntimeError("grad can be implicitly created only for scalar outputs")


def implicit_gradient_dtype(dtype: Any) -> RuntimeError:
    return RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {dtype!r}")


def root_without_graph(index: int) -> RuntimeError:
    return RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")


def root_without_gradient(index: int) -> RuntimeError:
    return RuntimeError(f"element {index} of gradients tuple is None, but the corresponding Tensor requires grad")


def gradient_count(tensors: int, gradients: int) -> RuntimeError:
    return RuntimeError(f"got {tensors} tensors and {gradients} gradients")


def gradient_shape(index: int, got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Mismatch in shape: grad_output[{index}] has a shape of torch.Size({list(got)}) and output[{index}] has a "
        f"shape of torch.Size({list(expected)})."
    )


def gradient_complex(index: int, got: Any, expected: Any) -> RuntimeError:
    return RuntimeError(
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
        f"grad_output[{index}] has a dtype of {got!r} and output[{index}] has a dtype of "
        f"{expected!r}."
    )


def gradient_type(value: object) -> TypeError:
    return TypeError(f"gradients can be either Tensors or None, but got {type(value).__name__}")


def empty_inputs(function: str) -> RuntimeError:
    return RuntimeError(f"`inputs` argument to `{function}()` cannot be empty.")


def inputs_mapping(function: str, got: object) -> TypeError:
    return TypeError(
        f"`inputs` argument to `{function}()` must be a dict, not {type(got).__name__}. Other Mapping types are not "
        "supported."
    )


def unused_input(index: int) -> RuntimeError:
    return RuntimeError(
        f"The differentiated Tensor at index {index} appears to not have been used in the graph. Set allow_unused=True "
        "if this is the desired behavior."
    )


def root_gradient_shape(index: int, got: Sequence[int], wanted: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"invalid gradient at index {index} - got {list(got)} but expected shape compatible with {list(wanted)}"
    )


def batched_gradient_shape(index: int, got: Sequence[int], wanted: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The "
        "sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was "
        f"detected: grad_output[{index}] has a shape of torch.Size({list(got)}) and output[{index}] has a shape of "
        f"torch.Size({list(wanted)}). If you only want some tensors in `grad_output` to be considered batched, "
        "consider using vmap."
    )


def callback_outside_backward() -> RuntimeError:
    return RuntimeError("Final callbacks can only be installed during backward pass.")


def leaf_moved() -> RuntimeError:
    """A leaf was written to, while it did not require grad, with what does."""
    return RuntimeError("leaf variable has been moved into the graph interior")


def captured_leaf() -> RuntimeError:
    """A hook for the gradients of several tensors, one of them a leaf, met ``autograd.grad`` of that leaf."""
    return RuntimeError(
        "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
        "currently not supported."
    )


def materialize_edge() -> RuntimeError:
    return RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")


def materialize_without_unused() -> ValueError:
    return ValueError(
        "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
    )


def grad_tensors_and_variables() -> RuntimeError:
    return RuntimeError(
        "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
        "`grad_tensors`."
    )


def batched_gradient_sizes() -> ValueError:
    return ValueError("The batched grad_outputs must all have the same size in their first dimension.")
