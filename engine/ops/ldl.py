"""A = L D Lᵀ of symmetric or Hermitian matrices, with D in blocks of one or two rows (Bunch and Kaufman, 1977)."""

from __future__ import annotations

from engine.codegen.op import op

_SAYS = "PyTorch has no gradient for it"
op(
    "linalg_ldl_factor_ex(self, *, hermitian=False, check_errors=False)", "NotImplemented",
    "ldl_factor_kernel(self, hermitian)", outputs="LD pivots! info!", inplace=False,
    self="underivable('linalg_ldl_factor_ex')", says=_SAYS,
)
op(
    "linalg_ldl_solve(LD, pivots: Tensor, B, *, hermitian=False)", "NotImplemented",
    "ldl_solve_kernel(LD, pivots, B, hermitian)", inplace=False,
    LD="underivable('linalg_ldl_solve')", B="underivable('linalg_ldl_solve')", says=_SAYS,
)
