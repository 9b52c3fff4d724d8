"""Bessel functions and orthogonal polynomials, none of which PyTorch differentiates."""

from __future__ import annotations

from engine.codegen.op import pointwise
from engine.kernels.bessel import BESSEL, POLYNOMIALS

for _name in BESSEL:
    pointwise(
        f"special_{_name}(x: Tensor)", None, f"bessel_kernel('{_name}', x)", real="x", inplace=False,
        says="PyTorch does not differentiate it", cost=1500 if _name == "airy_ai" else 150, opmath="half",
    )
for _name in POLYNOMIALS:
    pointwise(
        f"special_{_name}(x: Tensor, n: Tensor)", None, f"polynomial_kernel('{_name}', x, n)", promote="x n",
        real="x n", inplace=False, says="PyTorch does not differentiate it", broadcasts=False, opmath="half",
    )
