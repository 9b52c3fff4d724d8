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
