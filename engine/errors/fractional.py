"""Texts of fractional max pooling."""

from __future__ import annotations


def fractional_size(function: str) -> ValueError:
    return ValueError(f"{function} requires specifying either an output_size or an output_ratio")


def fractional_window(function: str, what: str, window: int, extent: int) -> RuntimeError:
    return RuntimeError(f"{function}(): pool {what} {window} too large relative to input {what} {extent}")


def fractional_samples(what: str, expected: int, got: int) -> RuntimeError:
    if what == "batch":
        return RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if what == "dims":
        return RuntimeError(f"Expect _random_samples.size(2) equals to {expected}; got {got}.")
    return RuntimeError("Expect _random_samples.size(1) equals to input channel size.")


def fractional_layer_size(layer: str) -> ValueError:
    return ValueError(f"{layer} requires specifying either an output size, or a pooling ratio")


def fractional_layer_both() -> ValueError:
    return ValueError("only one of output_size and output_ratio may be specified")


def fractional_layer_ratio(ratio: object) -> ValueError:
    return ValueError(f"output_ratio must be between 0 and 1 (got {ratio})")
