"""`torch.nn.utils.rnn`: sequences of different lengths, padded or packed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import errors
from engine.codegen.publish import TORCH
from engine.composites.packed import _pad_packed_sequence
from engine.composites.packed import pad_sequence as _pad_sequence
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types import dtypes

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class _Fields(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Fields):
    """Rows (total, *) of all sequences, step after step, and how many sequences run at each step."""

    __module__ = "torch.nn.utils.rnn"

    def __new__(
        cls,
        data: Tensor,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if batch_sizes is None:  # the old form: both in one tuple
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"PackedSequence({fields})"

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same with `data` moved or cast."""
        return type(self)(self.data.to(*args, **kwargs), *self[1:])

    def cpu(self) -> PackedSequence:
        return self

    @property
    def is_cuda(self) -> bool:
        return False


def _converting(name: str, dtype: dtypes.dtype) -> None:
    def convert(self: PackedSequence) -> PackedSequence:
        return self.to(dtype)

    convert.__name__, convert.__qualname__ = name, f"PackedSequence.{name}"
    setattr(PackedSequence, name, convert)


for _name, _dtype in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "long": dtypes.int64,
    "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
}.items():  # fmt: skip
    _converting(_name, _dtype)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Where each index went."""
    if permutation is None:
        return None
    inverse: Tensor = permutation.new_zeros(permutation._array.shape)
    return inverse.scatter_(0, permutation, TORCH["arange"](permutation.numel()))


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences (T, N, *), or (N, T, *), of the given lengths.

    Raises RuntimeError for lengths that do not fit, and for unsorted ones with `enforce_sorted`.
    """
    lengths = TORCH["as_tensor"](lengths, dtype=dtypes.int64)
    order: Tensor | None = None
    if not enforce_sorted:
        lengths, order = TORCH["sort"](lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = ops._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded sequences (T, N, *), or (N, T, *), and their lengths (N)."""
    steps = int(sequence.batch_sizes.shape[0])
    if total_length is not None:
        if total_length < steps:
            raise errors.pack_total_length(total_length, steps)
        steps = total_length
    padded, counts = _pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value, steps)
    lengths: Tensor = TORCH["tensor"](counts)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (T_i, *) side by side, filled up to the longest: (T, N, *), or (N, T, *)."""
    if not isinstance(sequences, Tensor | list | tuple):
        sequences = list(sequences)
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    if not sequences:
        raise errors.no_sequences()
    for index, sequence in enumerate(sequences):
        if not isinstance(sequence, Tensor):
            raise errors.expected_tensor_element(index, 0, sequence)
    return _pad_sequence(sequences, batch_first, padding_value, padding_side)


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences (T_i, *)."""
    lengths = [int(s.shape[0]) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """The sequences without their padding."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    return [row[: int(length)] for row, length in zip(padded_sequences, lengths, strict=True)]


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
