"""Errors of datasets and loaders."""

from __future__ import annotations

__all__ = [
    "batch_sampler_with_others", "chained_dataset", "collate_lengths", "collate_type", "concat_index",
    "concat_iterable_dataset", "dataset_size_mismatch", "drop_last_without_batches", "empty_concat_dataset",
    "iterable_option", "loader_attribute", "loader_batch_size", "loader_drop_last", "loader_persistence",
    "loader_prefetch", "loader_timeout", "loader_workers", "no_process_group", "random_sampler_count",
    "random_sampler_replacement", "random_split_fraction", "random_split_lengths", "rendezvous_without",
    "sampler_count", "sampler_rank", "sampler_replacement", "sampler_weights", "sampler_with_shuffle",
    "save_to_no_file", "save_without_folder", "stack_dataset_empty", "stack_dataset_mixed", "stack_dataset_sizes",
    "weights_only_text",
]


def save_without_folder(folder: str) -> RuntimeError:
    return RuntimeError(f"Parent directory {folder} does not exist.")


def save_to_no_file(method: str) -> AttributeError:
    """``method``: what an open file would have."""
    return AttributeError(f"expected 'f' to be string, path, or a file-like object with a '{method}' attribute")


def weights_only_text(name: str) -> str:
    """What `torch.load` says to a file that holds more than tensors and containers."""
    return (
        "Weights only load failed. This file can still be loaded, to do so you have two options, "
        "\x1b[1mdo those steps only if you trust the source of the checkpoint\x1b[0m. \n"
        "\t(1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from "
        "`False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can "
        "result in arbitrary code execution. Do it only if you got the file from a trusted source.\n"
        "\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps in the following "
        f"error message.\n\tWeightsUnpickler error: Unsupported global: GLOBAL {name} was not an allowed global by "
        "default. "
        f"Please use `torch.serialization.add_safe_globals([{name}])` or the "
        f"`torch.serialization.safe_globals([{name}])` context manager to allowlist this global if you trust this "
        "class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
        "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
    )


def dataset_size_mismatch() -> AssertionError:
    return AssertionError("Size mismatch between tensors")


def empty_concat_dataset() -> AssertionError:
    return AssertionError("datasets should not be an empty iterable")


def concat_iterable_dataset() -> AssertionError:
    return AssertionError("ConcatDataset does not support IterableDataset")


def concat_index() -> ValueError:
    return ValueError("absolute value of index should not exceed dataset length")


def random_split_fraction(place: int) -> ValueError:
    return ValueError(f"Fraction at index {place} is not between 0 and 1")


def random_sampler_replacement(value: object) -> TypeError:
    return TypeError(f"replacement should be a boolean value, but got replacement={value}")


def random_sampler_count(count: object) -> ValueError:
    return ValueError(f"num_samples should be a positive integer value, but got num_samples={count}")


def rendezvous_without(name: str) -> ValueError:
    """``torch.distributed.init_process_group`` of a program that nobody has launched."""
    return ValueError(
        "Error initializing torch.distributed using env:// rendezvous: environment variable"
        f" {name} expected, but not set"
    )


def no_process_group() -> ValueError:
    return ValueError(
        "Default process group has not been initialized, please make sure to call init_process_group."
    )


def sampler_rank(rank: object, replicas: int) -> ValueError:
    return ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {replicas - 1}]")


def loader_attribute(name: str, owner: str) -> ValueError:
    return ValueError(f"{name} attribute should not be set after {owner} is initialized")


def random_split_lengths() -> ValueError:
    return ValueError("Sum of input lengths does not equal the length of the input dataset!")


def loader_batch_size(size: object) -> ValueError:
    return ValueError(f"batch_size should be a positive integer value, but got batch_size={size}")


def loader_drop_last(drop_last: object) -> ValueError:
    return ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")


def loader_workers() -> ValueError:
    return ValueError(
        "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
    )


def loader_timeout() -> ValueError:
    return ValueError("timeout option should be non-negative")


def loader_prefetch() -> ValueError:
    return ValueError(
        "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
        "multiprocessing, otherwise set prefetch_factor to None."
    )


def loader_persistence() -> ValueError:
    return ValueError("persistent_workers option needs num_workers > 0")


def collate_type(kind: object) -> TypeError:
    """`kind`: the type of a row, or the dtype of an array."""
    return TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {kind}"
    )


def chained_dataset() -> AssertionError:
    return AssertionError("ChainDataset only supports IterableDataset")


def collate_lengths() -> RuntimeError:
    return RuntimeError("each element in list of batch should be of equal size")


def sampler_with_shuffle() -> ValueError:
    return ValueError("sampler option is mutually exclusive with shuffle")


def batch_sampler_with_others() -> ValueError:
    return ValueError(
        "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
    )


def drop_last_without_batches() -> ValueError:
    return ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")


def iterable_option(name: str, value: object) -> ValueError:
    """An option that a loader of an iterable dataset does not have."""
    return ValueError(f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}")


def sampler_count(count: object) -> ValueError:
    return ValueError(f"num_samples should be a positive integer value, but got num_samples={count}")


def sampler_replacement(value: object) -> ValueError:
    return ValueError(f"replacement should be a boolean value, but got replacement={value}")


def sampler_weights(shape: tuple[int, ...]) -> ValueError:
    return ValueError(f"weights should be a 1d sequence but given weights have shape {shape}")


def stack_dataset_mixed() -> ValueError:
    return ValueError(
        "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both types "
        "are given."
    )


def stack_dataset_empty() -> ValueError:
    return ValueError("At least one dataset should be passed")


def stack_dataset_sizes() -> ValueError:
    return ValueError("Size mismatch between datasets")
