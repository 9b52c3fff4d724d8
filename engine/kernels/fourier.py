"""What is to be known of lengths of Fourier transforms."""

from __future__ import annotations


def is_rough(length: int) -> bool:
    """Whether a transform of this length is made of three longer ones, because of a large prime factor."""
    for prime in (2, 3, 5, 7, 11):
        while length and not length % prime:
            length //= prime
    return length > 11
