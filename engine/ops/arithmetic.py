"""Sums, products, powers, and their relatives: rows only.

Operands of `promote` take a common dtype as PyTorch's rules say; `real` makes integers floating point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.op import kernel, op
from engine.surface import public
from engine.tensor import Tensor


add = op(
    "add(self, other, *, alpha: Scalar = 1)", "AddBackward0",
    "self + other if alpha == 1 else self + other * alpha", promote="self other",
    self="g", other="g if alpha == 1 else g * alpha",
    says="addition passes the gradient on unchanged: its slope is 1 in both inputs",
)
op("add.Scalar(self, other: Scalar)", "AddBackward1", "self + other", self="g", inplace=False)
sub = op(
    "sub(self, other, *, alpha: Scalar = 1)", "SubBackward0",
    "self - other if alpha == 1 else self - other * alpha", promote="self other",
    self="g", other="-g if alpha == 1 else -g * alpha",
    says="the first input's slope is 1, the second's is −1",
)
op("sub.Scalar(self, other: Scalar)", "SubBackward1", "self - other", self="g", inplace=False)
rsub = op(
    "rsub(self, other: Scalar, alpha: Scalar = 1)", "RsubBackward1", "other - self * alpha if alpha != 1 else other - self",
    self="-g if alpha == 1 else -g * alpha", inplace=False,
    says="a number minus the input: the slope is −1",
)
mul = op(
    "mul(self, other)", "MulBackward0", "self * other", promote="self other",
    self="g * other", other="g * self",
    says="each input's slope is the other input",
)
op("mul.Scalar(self, other: Scalar)", "MulBackward1", "self * other", self="g * other", inplace=False,
   says="the slope is the number it was multiplied by")
neg = op("neg(self)", "NegBackward0", "-self", self="-g", says="the slope is −1")
