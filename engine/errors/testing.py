"""Errors of `torch.testing` and of `torch.signal.windows`."""

from __future__ import annotations

from typing import Any

# --- assert_close: texts, for the caller may put its own in their place


def close_one_tolerance(missing: str) -> ValueError:
    return ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")


def close_types(actual: type, expected: type) -> str:
    return f"No comparison pair was able to handle inputs of type {actual} and {expected}."


def close_number_types(actual: type, expected: type) -> str:
    return f"The (d)types do not match: {actual} != {expected}."


def close_attribute(name: str, actual: object, expected: object) -> str:
    return f"The values for attribute '{name}' do not match: {actual} != {expected}."


def close_booleans(actual: bool, expected: bool) -> str:
    return f"Booleans mismatch: {actual} is not {expected}"


def close_length(actual: int, expected: int) -> str:
    return f"The length of the sequences mismatch: {actual} != {expected}"


def close_keys(missing: list[Any], more: list[Any]) -> str:
    return (
        f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {missing}\n"
        f"Additional keys in the actual mapping: {more}"
    )


def close_scalars(
    actual: object, expected: object, distance: object, atol: float, relative: object, rtol: float, exact: bool
) -> str:
    allowed = ("", "") if exact else (f" (up to {atol} allowed)", f" (up to {rtol} allowed)")
    return (
        f"Scalars are not {'equal' if exact else 'close'}!\n\nExpected {expected} but got {actual}.\n"
        f"Absolute difference: {distance}{allowed[0]}\nRelative difference: {relative}{allowed[1]}"
    )


Greatest = tuple[object, tuple[int, ...]]


def close_tensors(
    bad: int, size: int, absolute: Greatest, relative: Greatest, atol: float, rtol: float, exact: bool
) -> str:
    allowed = ("", "") if exact else (f" (up to {atol} allowed)", f" (up to {rtol} allowed)")
    return (
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {bad} / {size} ({bad / size:.1%})\n"
        f"Greatest absolute difference: {absolute[0]} at index {absolute[1]}{allowed[0]}\n"
        f"Greatest relative difference: {relative[0]} at index {relative[1]}{allowed[1]}"
    )


# --- windows


def signal_length(name: str, length: int) -> ValueError:
    return ValueError(f"{name} requires non-negative window length, got M={length}")


def signal_dtype(name: str, dtype: object) -> ValueError:
    return ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")


def signal_tau(tau: float) -> ValueError:
    return ValueError(f"Tau must be positive, got: {tau} instead.")


def signal_center() -> ValueError:
    return ValueError("Center must be None for symmetric windows")


def signal_std(std: float) -> ValueError:
    return ValueError(f"Standard deviation must be positive, got: {std} instead.")


def signal_beta(beta: float) -> ValueError:
    return ValueError(f"beta must be non-negative, got: {beta} instead.")


def signal_coefficients() -> TypeError:
    return TypeError("Coefficients must be a list/tuple")


def signal_no_coefficients() -> ValueError:
    return ValueError("Coefficients cannot be empty")


def make_tensor_memory(noncontiguous: bool, memory_format: object) -> ValueError:
    return ValueError(
        "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
        f"noncontiguous={noncontiguous} and memory_format={memory_format!r}"
    )


def make_tensor_requires_grad(dtype: object) -> ValueError:
    return ValueError(
        f"`requires_grad=True` is not supported for boolean and integral dtypes, but got dtype={dtype!r}"
    )


def make_tensor_nan(low: float, high: float) -> ValueError:
    return ValueError(f"`low` and `high` cannot be NaN, but got low={low!r} and high={high!r}")


def make_tensor_order(low: float, high: float) -> ValueError:
    return ValueError(f"`low` must be less than `high`, but got {low} >= {high}")


def make_tensor_interval(low: float, high: float, dtype: object, lowest: float, highest: float) -> ValueError:
    return ValueError(
        f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports "
        f"[{lowest}, {highest})"
    )
