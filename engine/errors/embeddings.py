"""Embeddings and bags of them."""

from __future__ import annotations

from collections.abc import Sequence

Shape = Sequence[int]


def embedding_weight() -> RuntimeError:
    return RuntimeError("'weight' must be 2-D")


def embedding_index() -> IndexError:
    return IndexError("index out of range in self")


def embedding_weight_shape() -> AssertionError:
    return AssertionError("Shape of weight does not match num_embeddings and embedding_dim")


def embedding_table_dimensions() -> AssertionError:
    return AssertionError("Embeddings parameter is expected to be 2-dimensional")


def embedding_dtype(tensor_type: str, function: str = "embedding") -> RuntimeError:
    return RuntimeError(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
        f"{tensor_type} instead (while checking arguments for {function})"
    )


def padding_index(lower: bool = False) -> AssertionError:
    return AssertionError(("padding_idx" if lower else "Padding_idx") + " must be within num_embeddings")


# --- bags


def bag_dtype(tensor_type: str) -> RuntimeError:
    return RuntimeError(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
        f"{tensor_type} instead (while checking arguments for embedding_bag)"
    )


def bag_no_offsets() -> RuntimeError:
    return RuntimeError("include_last_offset: numBags should be at least 1")


def bag_first_offset(offset: int) -> RuntimeError:
    return RuntimeError(
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got "
        f"{offset}\n[ torch.LongTensor{{}} ]"
    )


def bag_last_offset(length: int, offset: int) -> RuntimeError:
    return RuntimeError(
        f"offsets[-1] can not be greater than input's length {length} but got offsets[-1] of {offset}"
    )


def bag_padding(rows: int, padding_idx: int) -> RuntimeError:
    return RuntimeError(
        f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but got {padding_idx}"
    )


def bag_index(position: int, value: int, rows: int) -> RuntimeError:
    return RuntimeError(
        f"Index {position} of input takes value {value} which is not in the valid range [0, {rows})"
    )


def bag_weights_dtype(weight: str, per_sample: str) -> RuntimeError:
    return RuntimeError(
        f"Expected tensor for argument #1 'weight' to have the same type as tensor for argument #2 "
        f"'per_sample_weights'; but type {weight} does not equal {per_sample} (while checking arguments for "
        "embedding_bag)"
    )


def bag_weights_shape(weights: Shape, indices: Shape) -> ValueError:
    return ValueError(
        f"embedding_bag: If per_sample_weights ({weights}) is not None, then it must have the same shape as the input "
        f"({indices})"
    )


def bag_table(rank: int) -> ValueError:
    return ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {rank}")


def bag_rows(rank: int) -> RuntimeError:
    """As `bag_table`, of `torch.embedding_bag`."""
    return RuntimeError(str(bag_table(rank)))


def bag_indices(rank: int) -> RuntimeError:
    return RuntimeError(f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {rank}")


def bag_offsets(rank: int) -> RuntimeError:
    return RuntimeError(f"offsets has to be a 1D Tensor, but got Tensor of dimension {rank}")


def bag_offsets_given(kind: type) -> ValueError:
    return ValueError(
        "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. "
        f"However, found offsets of type {kind}"
    )


def bag_offsets_missing(none: bool) -> ValueError:
    return ValueError("offsets has to be a 1D Tensor" + (" but got None" if none else ""))


def bag_input(rank: int) -> ValueError:
    return ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {rank}")


def bag_mode() -> ValueError:
    return ValueError("mode has to be one of sum, mean or max")


def bag_max(sparse: bool) -> ValueError:
    return ValueError(
        "max mode does not support " + ("sparse weights" if sparse else "scaling the gradient by the frequency")
    )


def bag_weights_mode(mode: str) -> NotImplementedError:
    return NotImplementedError(
        "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
        f"mode='{mode}'). Please open a feature request on GitHub."
    )
