"""`torch.signal.windows`: weights that fade towards the ends of a stretch of M samples.

`sym=False` gives the periodic form: the window of M + 1 samples without its last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Unpack

from engine import errors
from engine.codegen.publish import TORCH
from engine.composites.creation import Options
from engine.core.tensor import Tensor
from engine.types import dtypes

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]  # fmt: skip


def _checked(name: str, M: int, options: Options) -> dict[str, Any]:
    """How a window is made. ValueError for a negative length or another dtype than float32 and float64."""
    for keyword in options:
        if keyword not in ("dtype", "layout", "device", "requires_grad"):
            raise errors.unexpected_keyword(name, keyword)
    if M < 0:
        raise errors.signal_length(name, M)
    kind = options.get("dtype") or dtypes.get_default()
    if kind not in (dtypes.float32, dtypes.float64):
        raise errors.signal_dtype(name, kind)
    return {"dtype": kind, "requires_grad": options.get("requires_grad", False)}


def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    **options: Unpack[Options],
) -> Tensor:
    """exp(−|n − center| / tau)."""
    given = _checked("exponential", M, options)
    if tau <= 0:
        raise errors.signal_tau(tau)
    if sym and center is not None:
        raise errors.signal_center()
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    constant = 1 / tau
    k = TORCH["linspace"](start=-center * constant, end=(-center + (M - 1)) * constant, steps=M, **given)
    return TORCH["exp"](-TORCH["abs"](k))  # type: ignore[no-any-return]


def cosine(M: int, *, sym: bool = True, **options: Unpack[Options]) -> Tensor:
    """Half a period of a sine."""
    given = _checked("cosine", M, options)
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    start = 0.5
    constant = math.pi / (M + 1 if not sym and M > 1 else M)
    k = TORCH["linspace"](start=start * constant, end=(start + (M - 1)) * constant, steps=M, **given)
    return TORCH["sin"](k)  # type: ignore[no-any-return]


def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    **options: Unpack[Options],
) -> Tensor:
    """The bell curve of deviation `std`."""
    given = _checked("gaussian", M, options)
    if std <= 0:
        raise errors.signal_std(std)
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    start = -(M if not sym and M > 1 else M - 1) / 2.0
    constant = 1 / (std * math.sqrt(2))
    k = TORCH["linspace"](start=start * constant, end=(start + (M - 1)) * constant, steps=M, **given)
    return TORCH["exp"](-(k**2))  # type: ignore[no-any-return]


def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    **options: Unpack[Options],
) -> Tensor:
    """A ratio of Bessel functions; `beta` trades the width of the main lobe for lower side lobes."""
    given = _checked("kaiser", M, options)
    if beta < 0:
        raise errors.signal_beta(beta)
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    if M == 1:
        return TORCH["ones"]((1,), **given)  # type: ignore[no-any-return]
    width = TORCH["tensor"](beta, dtype=given["dtype"])
    start = -width
    constant = 2.0 * width / (M if not sym else M - 1)
    end = TORCH["minimum"](width, start + (M - 1) * constant)
    k = TORCH["linspace"](start=start, end=end, steps=M, **given)
    root = TORCH["sqrt"](width * width - TORCH["pow"](k, 2))
    return TORCH["i0"](root) / TORCH["i0"](width)  # type: ignore[no-any-return]


def bartlett(M: int, *, sym: bool = True, **options: Unpack[Options]) -> Tensor:
    """A triangle."""
    given = _checked("bartlett", M, options)
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    if M == 1:
        return TORCH["ones"]((1,), **given)  # type: ignore[no-any-return]
    start = -1
    constant = 2 / (M if not sym else M - 1)
    k = TORCH["linspace"](start=start, end=start + (M - 1) * constant, steps=M, **given)
    return 1 - TORCH["abs"](k)  # type: ignore[no-any-return]


def general_cosine(
    M: int,
    *,
    a: Any,
    sym: bool = True,
    **options: Unpack[Options],
) -> Tensor:
    """A sum of cosines with weights `a`, their signs alternating."""
    given = _checked("general_cosine", M, options)
    if M == 0:
        return TORCH["empty"]((0,), **given)  # type: ignore[no-any-return]
    if M == 1:
        return TORCH["ones"]((1,), **given)  # type: ignore[no-any-return]
    if not isinstance(a, Iterable):
        raise errors.signal_coefficients()
    if not a:
        raise errors.signal_no_coefficients()
    constant = 2 * math.pi / (M if not sym else M - 1)
    k = TORCH["linspace"](start=0, end=(M - 1) * constant, steps=M, **given)
    weights = TORCH["tensor"]([(-1) ** i * w for i, w in enumerate(a)], **given)
    i = TORCH["arange"](weights.shape[0], dtype=weights.dtype, requires_grad=weights.requires_grad)
    return (weights.unsqueeze(-1) * TORCH["cos"](i.unsqueeze(-1) * k)).sum(0)  # type: ignore[no-any-return]


def general_hamming(M: int, *, alpha: float = 0.54, sym: bool = True, **options: Any) -> Tensor:
    """A cosine raised by `alpha`."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, **options)


def hamming(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """A cosine raised so that it does not quite reach 0."""
    return general_hamming(M, sym=sym, **options)


def hann(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """A cosine raised to reach 0."""
    return general_hamming(M, alpha=0.5, sym=sym, **options)


def blackman(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Two cosines."""
    _checked("blackman", M, options)  # type: ignore[arg-type]
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, **options)


def nuttall(M: int, *, sym: bool = True, **options: Any) -> Tensor:
    """Three cosines (Nuttall, 1981)."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, **options)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.signal.windows", name)
