"""Errors of datasets and loaders."""

from __future__ import annotations

__all__ = [
    "collate_type", "dataset_size_mismatch", "empty_concat_dataset", "random_split_lengths", "sampler_count",
    "sampler_replacement", "sampler_weights", "sampler_with_shuffle", "stack_dataset_empty", "stack_dataset_mixed",
    "stack_dataset_sizes",
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


def sampler_count(count: object) -> ValueError:
    return ValueError(f"num_samples should be a positive integer value, but got num_samples={count}")


def sampler_replacement(value: object) -> ValueError:
    return ValueError(f"replacement should be a boolean value, but got replacement={value}")


def sampler_weights(shape: tuple[int, ...]) -> ValueError:
    return ValueError(f"weights should be a 1d sequence but given weights have shape {shape}")


def stack_dataset_mixed() -> ValueError:
    return ValueError(
        "Supported either ``tuple``- (via ``args``) or ``dict``- (via ``kwargs``) like input/output, but both types "
        "are given."
    )


def stack_dataset_empty() -> ValueError:
    return ValueError("At least one dataset should be passed")


def stack_dataset_sizes() -> ValueError:
    return ValueError("Size mismatch between datasets")
