"""Errors of datasets and loaders."""

from __future__ import annotations

__all__ = [
    "collate_type", "dataset_size_mismatch", "empty_concat_dataset", "random_split_lengths", "sampler_with_shuffle",
]


def dataset_size_mismatch() -> AssertionError:
    return AssertionError("Size mismatch between tensors")


def empty_concat_dataset() -> AssertionError:
    return AssertionError("datasets should not be an empty iterable")


def random_split_lengths() -> ValueError:
    return ValueError("Sum of input lengths does not equal the length of the input dataset!")


def collate_type(value: object) -> TypeError:
    return TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found " + str(type(value))
    )


def sampler_with_shuffle() -> ValueError:
    return ValueError("sampler option is mutually exclusive with shuffle")
