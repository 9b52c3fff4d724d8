"""Errors of probability distributions."""

from __future__ import annotations

__all__ = [
    "distribution_dimensions",
    "distribution_parameter",
    "kl_unknown",
    "probs_or_logits",
]


def distribution_parameter(
    name: str, kind: str, shape: tuple[int, ...], distribution: str, constraint: str, value: object
) -> ValueError:
    return ValueError(
        f"Expected parameter {name} ({kind} of shape {shape}) of distribution {distribution} to satisfy the constraint "
        f"{constraint}, but found invalid values:\n{value}"
    )


def distribution_dimensions(name: str) -> ValueError:
    return ValueError(f"`{name}` parameter must be at least one-dimensional.")


def probs_or_logits() -> ValueError:
    return ValueError("Either `probs` or `logits` must be specified, but not both.")


def kl_unknown(p: str, q: str) -> NotImplementedError:
    return NotImplementedError(f"No KL(p || q) is implemented for p type {p} and q type {q}")
