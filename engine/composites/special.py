"""Names of `torch.special` that stand for rows with overloads, and those without a gradient."""

from __future__ import annotations

from typing import Any

from engine.codegen.publish import public, publish
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.bessel import BESSEL, POLYNOMIALS

publish("method torch", "igamma", "igammac")
publish("special", "igamma", names="gammainc", inplace=False)
publish("special", "igammac", names="gammaincc", inplace=False)
for _name in (*BESSEL, *POLYNOMIALS):
    publish("special", f"special_{_name}", names=_name, inplace=False)


@public("special")
def zeta(input: Any, other: Any) -> Tensor:
    """Hurwitz's zeta function of `input`, from `other` on."""
    if not isinstance(input, Tensor):
        return ops.special_zeta_self_scalar(input, other)
    if not isinstance(other, Tensor):
        return ops.special_zeta_other_scalar(input, other)
    return ops.special_zeta(input, other)
