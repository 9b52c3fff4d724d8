"""Copies of views: `permute_copy` and its kin compute what the view would show, in memory of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import engine.ops.parts
import engine.ops.shape
import engine.ops.strided
import engine.ops.views  # noqa: F401 - the rows that are copied
from engine.codegen.op import Op, op
from engine.core.registry import OPS
from engine.kernels.parts import narrow_copy_kernel

COPIED = (
    "alias", "as_strided", "expand", "permute", "select", "slice", "split", "split_with_sizes", "squeeze",
    "squeeze_dim", "squeeze_dims", "t", "transpose", "unbind", "unfold", "unsqueeze", "view",
)
"""The views that have a copying form; `diagonal_copy` is also what `diag` is made of and stands with the diagonals."""


def _copying(row: Op) -> Callable[..., Any]:
    view = row.kernel

    def copy(*arguments: Any) -> Any:
        found = view(*arguments)
        if isinstance(found, list):
            return [part.copy() if part.ndim else part[()] for part in found]
        return found.copy() if found.ndim else found[()]

    return copy


for _identifier in COPIED:
    _row = OPS[_identifier]
    _head, _, _parameters = _row.signature.partition("(")
    _base, _, _overload = _head.partition(".")
    op(
        f"{_base}_copy{'.' + _overload if _overload else ''}({_parameters}", f"{_row.node_name}_copy", _copying(_row),
        outputs="*" if _row.variadic else "", inplace=False, says=_row.says, self=_row.formulas["self"],
        hides=" ".join(_row.hides),
    )


op("narrow_copy(self, dim, start, length)", "NarrowCopyBackward0", narrow_copy_kernel, inplace=False,
   self="slice_backward(g, self.shape, dim, start, start + length, 1)",
   says="the gradient goes to the part that was taken; the rest gets 0")
