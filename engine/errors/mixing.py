"""Tensors of different dtypes where PyTorch wants one. Names are dtypes as the texts spell them: `Float` or `float`."""

from __future__ import annotations

from collections.abc import Mapping


def addmm_factors(first: str, second: str) -> RuntimeError:
    return RuntimeError(f"mat1 and mat2 must have the same dtype, but got {first} and {second}")


def baddbmm_dtypes(own: str, first: str, second: str) -> RuntimeError:
    return RuntimeError(f"Input dtypes must be the same, got: input {own}, batch1: {first}, batch2: {second}")


def bilinear_dtypes(given: Mapping[str, str]) -> RuntimeError:
    """``given``: arguments and their dtypes, as C++ spells them."""
    listed = ", ".join(f"{name}: {dtype}" for name, dtype in given.items())
    return RuntimeError(f"All tensors must have the same dtype, got {listed}")


def lerp_dtype(argument: str, expected: str, got: str) -> RuntimeError:
    return RuntimeError(f"expected dtype {expected} for `{argument}` but got dtype {got}")


def index_add_dtypes(function: str, own: str, source: str) -> RuntimeError:
    """``index_add_``, ``index_reduce_``."""
    return RuntimeError(f"{function}(): self ({own}) and source ({source}) must have the same scalar type")


def index_copy_dtypes(own: str, source: str) -> RuntimeError:
    return RuntimeError(
        f"index_copy_(): self and source expected to have the same dtype, but got (self) {own} and (source) {source}"
    )


def mixed_inputs() -> RuntimeError:
    """A normalisation whose input and parameters differ."""
    return RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def mixed_parameter() -> RuntimeError:
    return RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")


def kl_div_complex() -> RuntimeError:
    return RuntimeError("kl_div: Complex inputs not supported.")


def kl_div_integers() -> RuntimeError:
    return RuntimeError("kl_div: Integral inputs not supported.")
