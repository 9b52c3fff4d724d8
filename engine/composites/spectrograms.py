"""Spectrograms: Fourier transforms of overlapping frames of a signal (`torch.stft`), and back (`torch.istft`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.autocast import widened
from engine.codegen.publish import FUNCTIONAL, public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import integer


def _described(tensor: Tensor | None, template: str) -> str:
    if tensor is None:
        return "None"
    name = tensor.type()
    if tensor.is_complex():
        name = f"CPU{name[len('torch.') : -len('Tensor')]}Type"
    return template.format(name, ", ".join(map(str, tensor.shape)))


def _flag(value: bool | None) -> str:
    return "None" if value is None else str(int(value))


def _window(window: Tensor | None, n_fft: int, win_length: int, like: Any) -> Tensor | None:
    """The window as long as a frame, with zeros on both sides; None when it would change nothing."""
    if win_length == n_fft:
        return window
    start = (n_fft - win_length) // 2
    meter.allocate(max(n_fft, 0), like.itemsize)
    whole = Tensor._from_array(np.zeros(n_fft, like))
    part = ops.slice(whole, 0, start, start + win_length)
    if window is None:
        part.fill_(1)
    else:
        part.copy_(window)
    return whole


@public("method torch")
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """The transforms of frames of `n_fft` samples, `hop_length` apart: (…, frequencies, frames).

    The signal is (n) or (batch, n); with `center` it is padded so that frame t is centred at t · hop_length.
    """
    input, window = widened(input, window)
    if center:
        if align_to_window is not None:
            raise errors.stft_aligned()
        ndim = input.ndim
        extended = [1] * (3 - ndim) + list(input.shape)
        pad = n_fft // 2
        input = FUNCTIONAL["pad"](input.view(extended), [pad, pad], pad_mode)
        input = input.view(input.shape[-ndim:])
    unsaid = return_complex is None
    if unsaid and not input.is_complex() and not (window is not None and window.is_complex()):
        raise errors.stft_return_complex()
    hop = n_fft // 4 if hop_length is None else integer(hop_length)
    length = n_fft if win_length is None else integer(win_length)
    _check_stft(input, n_fft, hop, length, window, (normalized, onesided, return_complex, align_to_window))
    if window is None:
        errors.warn_stft_window()
    if unsaid:
        return_complex = True
    if onesided and (input.is_complex() or window is not None and window.is_complex()):
        raise errors.onesided_complex()
    if not return_complex:
        errors.warn_stft_real()
    single = input.ndim == 1
    x = input.unsqueeze(0) if single else input
    whole = _window(window, n_fft, length, x._array.real.dtype)
    frames = 1 + (x.shape[1] - n_fft) // hop
    strides = x.stride()
    x = x.as_strided((x.shape[0], frames, n_fft), (strides[0], hop * strides[1], strides[1]))
    if whole is not None:
        x = x.mul(whole)
    if x.is_complex():
        out = ops._fft_c2c(x, (2,), int(normalized), True)
    else:
        out = ops._fft_r2c(x, (2,), int(normalized), onesided is None or bool(onesided))
    out = out.transpose_(1, 2)
    if single:
        out = out.squeeze_(0)
    return out if return_complex else ops.view_as_real(out)


def _check_stft(
    x: Tensor, n_fft: int, hop: int, length: int, window: Tensor | None, flags: tuple[bool | None, ...]
) -> None:
    shown = [_flag(flag) for flag in flags]
    call = (
        f"stft({_described(x, '{}[{}]')}, n_fft={n_fft}, hop_length={hop}, win_length={length}, "
        f"window={_described(window, '{}{{[{}]}}')}, normalized={shown[0]}, onesided={shown[1]}, "
        f"return_complex={shown[2]}, align_to_window={shown[3]})"
    )
    text = ""
    if x._array.dtype.kind not in dtypes.INEXACT:
        text = "expected a tensor of floating point or complex values"
    elif x.ndim not in (1, 2):
        text = "expected a 1D or 2D tensor"
    elif not 0 < n_fft <= x.shape[-1]:
        text = f"expected 0 < n_fft < {x.shape[-1]}, but got n_fft={n_fft}"
    elif hop <= 0:
        text = f"expected hop_length > 0, but got hop_length={hop}"
    elif not 0 < length <= n_fft:
        text = f"expected 0 < win_length <= n_fft, but got win_length={length}"
    elif window is not None and (window.ndim != 1 or window.shape[0] != length):
        text = (
            f"expected a 1D window tensor of size equal to win_length={length}, but got window with size "
            f"{list(window.shape)}"
        )
    if text:
        raise errors.stft_argument(call, text)


def _check_istft(
    x: Tensor, n_fft: int, hop: int, length: int, window: Tensor | None, flags: tuple[Any, ...], call: str
) -> None:
    onesided, return_complex = flags
    text = ""
    if not x.numel():
        text = "input tensor cannot be empty."
    elif x.ndim > 3:
        text = f"expected a tensor with 3 or 4 dimensions, but got {x.ndim + 1}"
    elif x.shape[-2] != (n_fft // 2 + 1 if onesided else n_fft):
        wanted = "n_fft / 2 + 1 when onesided=True" if onesided else "n_fft when onesided=False"
        text = (
            "expected the frequency dimension (3rd to the last) of the input tensor to match "
            f"{wanted}, but got {x.shape[-2]}"
        )
    elif not 0 < hop <= length:
        text = "expected 0 < hop_length <= win_length"
    elif not 0 < length <= n_fft:
        text = "expected 0 < win_length <= n_fft"
    elif window is not None and (window.ndim != 1 or window.shape[0] != length):
        text = "Invalid window shape. window has to be 1D and length of `win_length`"
    if text:
        raise errors.stft_argument(call, text)
    if return_complex and onesided:
        raise errors.onesided_complex()
    if not return_complex and window is not None and window.is_complex():
        raise errors.istft_complex_window()


@public("method torch")
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal of a spectrogram: frames are transformed back, and added up where they overlap (Griffin and Lim)."""
    if window is None:
        errors.warn_istft_window()
    if not input.is_complex():
        raise errors.istft_complex()
    hop = n_fft // 4 if hop_length is None else integer(hop_length)
    win_length = n_fft if win_length is None else integer(win_length)
    if input.ndim < 2:
        raise errors.dim_out_of_range(-3, input.ndim + 1)
    call = (
        f"istft({_described(input, '{}[{}]')}, n_fft={n_fft}, hop_length={hop}, win_length={win_length}, "
        f"window={_described(window, '{}{{[{}]}}')}, center={_flag(center)}, normalized={_flag(normalized)}, "
        f"onesided={_flag(onesided)}, length={length}, return_complex={_flag(return_complex)})"
    )
    onesided = input.shape[-2] != n_fft if onesided is None else bool(onesided)
    _check_istft(input, n_fft, hop, win_length, window, (onesided, return_complex), call)
    kind = input._array.real.dtype
    if window is None:
        meter.allocate(max(win_length, 0), kind.itemsize)
        window = Tensor._from_array(np.ones(win_length, kind))
    whole = _window(window, n_fft, win_length, kind)
    assert whole is not None
    single = input.ndim == 2
    x = ops.view_as_real(input)
    x = ops.view_as_complex((x.unsqueeze(0) if single else x).transpose(1, 2))
    frames = x.shape[1]
    expected = n_fft + hop * (frames - 1)
    norm = 1 if normalized else 2
    if return_complex:
        x = ops._fft_c2c(x, (2,), norm, False)
    else:
        if not onesided:
            x = x[..., : n_fft // 2 + 1]
        x = ops._fft_c2r(x, (2,), norm, n_fft)
    y = ops.unfold_backward(x * whole.view(1, 1, n_fft), (x.shape[0], expected), 1, n_fft, hop)
    squares = whole.pow(2).expand(1, frames, n_fft)
    envelope = ops.unfold_backward(squares, (1, expected), 1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = start + integer(length) if length is not None else expected - n_fft // 2 if center else expected
    y, envelope = ops.slice(y, 1, start, end), ops.slice(envelope, 1, start, end)
    if not envelope.numel():
        raise errors.reduction_of_nothing("min")
    if np.abs(envelope._array).min() < 1e-11:
        raise errors.istft_window_envelope(call)
    y = y / envelope
    if single:
        y = y.squeeze(0)
    if end > expected:
        errors.warn_istft_short()
        y = ops.constant_pad_nd(y, (0, end - expected), 0)
    return y
