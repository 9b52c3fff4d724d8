"""Complex numbers and their parts."""

from __future__ import annotations


def not_complex(function: str) -> RuntimeError:
    """``imag``."""
    return RuntimeError(f"{function} is not implemented for tensors with non-complex dtypes.")


def view_as_real_type() -> RuntimeError:
    return RuntimeError("view_as_real is only supported for complex tensors")


def view_as_complex_type(got: str) -> RuntimeError:
    return RuntimeError(
        f"view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {got}"
    )


def view_as_complex_scalar() -> RuntimeError:
    return RuntimeError("Input tensor must have one or more dimensions")


def view_as_complex_size() -> RuntimeError:
    return RuntimeError("Tensor must have a last dimension of size 2")


def view_as_complex_stride() -> RuntimeError:
    return RuntimeError("Tensor must have a last dimension with stride 1")


def view_as_complex_strides() -> RuntimeError:
    return RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")


def numpy_of_conjugate() -> RuntimeError:
    return RuntimeError(
        "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead."
    )


def complex_parts(real: str, imag: str) -> RuntimeError:
    return RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {real} and {imag}")


def complex_dtypes(real: str, imag: str) -> RuntimeError:
    return RuntimeError(f"Expected object of scalar type {real} but got scalar type {imag} for second argument")


def complex_autograd(op: str) -> RuntimeError:
    return RuntimeError(f"{op} does not support automatic differentiation for outputs with complex dtype.")


def view_of_conjugate() -> RuntimeError:
    return RuntimeError(
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view "
        "it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original."
    )
