"""Texts of `segment_reduce`."""

from __future__ import annotations


def segments_missing() -> RuntimeError:
    return RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")


def segments_axis(name: str, axis: int) -> RuntimeError:
    return RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}.")


def segments_negative() -> RuntimeError:
    return RuntimeError("lengths contains negative value!")


def segments_sum() -> RuntimeError:
    return RuntimeError(
        "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe."
    )


def segments_indices() -> RuntimeError:
    return RuntimeError("segment_reduce(): indices based reduction is not supported yet.")


def segments_reduce(reduce: object) -> RuntimeError:
    return RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
