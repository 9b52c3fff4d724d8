"""Embeddings: rows of a table, picked by index."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.grad_mode import no_grad
from engine.core.tensor import Parameter, Tensor
from engine.nn import functional as F
from engine.nn import init
from engine.nn.layers import layer, unusual
from engine.nn.module import Module
from engine.nn.parameter import empty_parameter


def _wrapped(padding_idx: int | None, rows: int, lower: bool = False) -> int | None:
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise errors.padding_index(lower)
    return padding_idx % rows


def _table(embedding: Module, given: Tensor | None, frozen: bool, rows: int, columns: int, **options: Any) -> None:
    """The weight: one that is drawn, unless given."""
    if given is None:
        embedding.weight = empty_parameter(rows, columns, **options)
        embedding.weight.requires_grad_(not frozen)
        embedding.reset_parameters()
        return
    if list(given.shape) != [rows, columns]:
        raise errors.embedding_weight_shape()
    embedding.weight = Parameter(given, requires_grad=not frozen)


class Embedding(Module):
    """A table of `num_embeddings` vectors; indices (*) → (*, embedding_dim)."""

    weight: Any

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = _wrapped(padding_idx, num_embeddings)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        _table(self, _weight, _freeze, num_embeddings, embedding_dim, dtype=dtype, device=device)
        self.sparse = sparse

    def reset_parameters(self) -> None:
        """Draw the table from N(0, 1); the padding row is zero."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        shown = unusual(self, padding_idx=None, max_norm=None, norm_type=2, scale_grad_by_freq=False)
        return f"{self.num_embeddings}, {self.embedding_dim}{shown}" + ("" if self.sparse is False else ", sparse=True")

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """An embedding with a given table."""
        if embeddings.ndim != 2:
            raise errors.embedding_table_dimensions()
        rows, columns = embeddings.shape
        return cls(
            rows,
            columns,
            padding_idx,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            sparse,
            _weight=embeddings,
            _freeze=freeze,
        )


@layer(
    "",
    "F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode,"
    " self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)",
    takes="input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None",
)
class EmbeddingBag(Module):
    """Sums, means or maxima of bags of embeddings, without the embeddings themselves."""

    weight: Any

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = _wrapped(padding_idx, num_embeddings, lower=True)
        _table(self, _weight, False, num_embeddings, embedding_dim, dtype=dtype, device=device)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def reset_parameters(self) -> None:
        """Draw the table from N(0, 1); the padding row is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def extra_repr(self) -> str:
        shown = unusual(self, max_norm=None, norm_type=2, scale_grad_by_freq=False)
        return f"{self.num_embeddings}, {self.embedding_dim}{shown}, mode={self.mode!r}" + unusual(
            self, padding_idx=None
        )

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """Bags of embeddings with a given table."""
        if embeddings.ndim != 2:
            raise errors.embedding_table_dimensions()
        rows, columns = embeddings.shape
        bag = cls(
            rows,
            columns,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            mode,
            sparse,
            embeddings,
            include_last_offset,
            padding_idx,
        )
        bag.weight.requires_grad = not freeze
        return bag
