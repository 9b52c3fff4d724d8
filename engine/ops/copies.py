"""Copies of views: `permute_copy` and its kin compute what the view would show, in memory of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import engine.ops.parts
import engine.ops.shape
import engine.ops.strided
import engine.ops.views  # noqa: F401 - the rows that are copied
from engine.batching import rules
from engine.codegen.op import Op, op
from engine.core.registry import OPS
from engine.kernels.parts import narrow_copy_kernel

COPIED: dict[str, dict[str, Any]] = {
    "alias": {},
    "as_strided": {"vmap": rules.as_strided, "cost": 20},
    "expand": {"vmap": rules.expand},
    "permute": {"vmap": rules.permute},
    "select": {"vmap": rules.along("dim")},
    "slice": {"vmap": rules.along("dim")},
    "split": {"vmap": rules.along("dim")},
    "split_with_sizes": {"vmap": rules.along("dim")},
    "squeeze": {"vmap": rules.squeeze},
    "squeeze_dim": {"vmap": rules.along("dim")},
    "squeeze_dims": {"vmap": rules.along("dim")},
    "t": {"vmap": rules.t},
    "transpose": {"vmap": rules.transpose},
    "unbind": {"vmap": rules.along("dim")},
    "unfold": {"vmap": rules.along("dimension")},
    "unsqueeze": {"vmap": rules.unsqueeze},
    "view": {"vmap": rules.view},
}
"""The views that have a copying form, and its traits. `diagonal_copy`, of which `diag` is made, stands with the
diagonals."""


def _copying(row: Op) -> Callable[..., Any]:
    view = row.kernel

    def copy(*arguments: Any) -> Any:
        found = view(*arguments)
        if isinstance(found, list):
            return [part.copy() if part.ndim else part[()] for part in found]
        return found.copy() if found.ndim else found[()]

    return copy


for _identifier, _traits in COPIED.items():
    _row = OPS[_identifier]
    _head, _, _parameters = _row.signature.partition("(")
    _base, _, _overload = _head.partition(".")
    op(
        f"{_base}_copy{'.' + _overload if _overload else ''}({_parameters}", f"{_row.node_name}_copy", _copying(_row),
        outputs="*" if _row.variadic else "", inplace=False, says=_row.says, self=_row.formulas["self"],
        hides=" ".join(_row.hides), **_traits,
    )


op("narrow_copy(self, dim, start, length)", "NarrowCopyBackward0", narrow_copy_kernel, inplace=False,
   self="slice_backward(g, self.shape, dim, start, start + length, 1)",
   says="the gradient goes to the part that was taken; the rest gets 0", vmap=rules.along("dim"))
