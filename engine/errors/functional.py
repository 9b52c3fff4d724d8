"""`autograd.functional`, `torch.func`, `gradcheck` and gradient hooks of several tensors."""

from __future__ import annotations

from typing import Any


def functional_not_tensor(
    what: str, function: str, is_tuple: bool, index: int, values: object, item: object
) -> TypeError:
    if what == "inputs" or what == "v":
        if is_tuple:
            return TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at index "
                f"{index} has type {type(item)}."
            )
        return TypeError(
            f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has "
            f"type {type(values)}."
        )
    if is_tuple:
        return TypeError(
            f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at index "
            f"{index} has type {type(item)}."
        )
    return TypeError(
        f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has type "
        f"{type(values)}."
    )


def functional_independent(index: int) -> RuntimeError:
    return RuntimeError(
        f"Output 0 of the user-provided function is independent of input {index}. This is not allowed in strict mode."
    )


def functional_not_differentiable(index: int) -> RuntimeError:
    return RuntimeError(
        f"Output {index} of the user-provided function does not require gradients. The outputs must be computed in a "
        "differentiable manner from the input when running in strict mode."
    )


def hessian_not_scalar(many: bool) -> RuntimeError:
    if many:
        return RuntimeError("The function given to hessian should return a single Tensor")
    return RuntimeError("The Tensor returned by the function given to hessian should contain a single element")


def functional_scalar_output(function: str, many: bool) -> RuntimeError:
    if many:
        return RuntimeError(f"The function given to {function} should return a single Tensor")
    return RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")


def functional_v_required(function: str) -> RuntimeError:
    if function == "vjp":
        return RuntimeError(
            "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
        )
    return RuntimeError(
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
        "element."
    )


def functional_v_count(expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"v is a tuple of invalid length: should be {expected} but got {got}.")


def functional_v_size(expected: tuple[int, ...], got: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"v has invalid size: should be torch.Size({list(expected)}) but got torch.Size({list(got)}).")


def func_grad_not_scalar(out: Any) -> RuntimeError:
    if not hasattr(out, "dim"):
        return RuntimeError(
            "Expected f(*args) to return a tensor with no dims as the first output, got type: " + type(out).__name__
        )
    return RuntimeError(
        f"grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with {out.dim()} dims. "
        "Maybe you wanted to use the vjp or jacrev APIs instead?"
    )


def vmap_sizes(sizes: list[int]) -> ValueError:
    return ValueError(
        f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped "
        "dimension"
    )


def no_gradient_edge() -> RuntimeError:
    return RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")


def multi_grad_mode(mode: str) -> ValueError:
    return ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")


def gradcheck_no_inputs() -> ValueError:
    return ValueError(
        "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
    )


def gradcheck_precision(index: int) -> str:
    return (
        f"Input #{index} requires gradient and is not a double precision floating point or complex. This check will "
        "likely fail if all the inputs are not of double precision floating point or complex. "
    )


def gradcheck_mismatch(output: int, position: int, numerical: Any, analytical: Any) -> str:
    return (
        f"Jacobian mismatch for output {output} with respect to input {position},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def gradcheck_not_reentrant(tolerance: float) -> str:
    return (
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
        "different values, although analytical gradient matches numerical gradient."
        f"The tolerance for nondeterminism was {tolerance}."
    )


def gradcheck_not_multiplied() -> str:
    return "backward not multiplied by grad_output"


def gradcheck_undefined() -> str:
    return (
        "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "
        '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
    )
