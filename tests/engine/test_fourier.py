"""Fourier transforms and spectrograms: gradients, agreement with numpy, norms, sizes, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import OPS, ops
from tests.engine.gradients import Case, M, array, check_gradients, rows_of, tensor

fft: Any = torch.fft
X = array(0.3, -0.7, 0.9, 1.5, 0.2)
RE, IM = array(0.4, -1.2, 0.8, 0.1), array(0.7, 0.3, -0.5, 0.9)
RE2, IM2 = M, M[::-1] * 0.7
SIGNAL = np.sin(np.arange(14.0) ** 1.3)
WINDOW = tensor(np.hanning(6)[1:-1])


def parts(z: Any) -> Any:
    """The real and the imaginary part side by side."""
    return torch.view_as_real(z.resolve_conj())


ROWS: dict[str, Case] = {
    "_fft_c2c": (lambda a, b: parts(ops._fft_c2c(torch.complex(a, b), (0,), 1, True)), RE, IM),
    "_fft_r2c": (lambda x: parts(ops._fft_r2c(x, (0,), 0, True)), X),
    "_fft_c2r": (lambda a, b: ops._fft_c2r(torch.complex(a, b), (0,), 2, 7), RE, IM),
}
OTHERS: dict[str, Case] = {
    "fft": (lambda x: parts(fft.fft(x)), X),
    "fft, longer": (lambda x: parts(fft.fft(x, 7)), X),
    "fft, shorter": (lambda x: parts(fft.fft(x, 3)), X),
    "ifft": (lambda x: parts(fft.ifft(x)), X),
    "rfft of an even number": (lambda x: parts(fft.rfft(x, 4)), X),
    "irfft of an even number": (lambda a, b: fft.irfft(torch.complex(a, b)), RE, IM),
    "irfft of an odd number": (lambda a, b: fft.irfft(torch.complex(a, b), 5, norm="ortho"), RE, IM),
    "hfft": (lambda a, b: fft.hfft(torch.complex(a, b)), RE, IM),
    "ihfft": (lambda x: parts(fft.ihfft(x)), X),
    "fft2": (lambda x: parts(fft.fft2(x)), M),
    "rfftn": (lambda x: parts(fft.rfftn(x, (2, 4))), M),
    "irfft2": (lambda a, b: fft.irfft2(torch.complex(a, b)), RE2, IM2),
    "hfftn": (lambda a, b: fft.hfftn(torch.complex(a, b)), RE2, IM2),
    "ihfftn": (lambda x: parts(fft.ihfftn(x)), M),
    "fftshift": (lambda x: fft.fftshift(x), M),
    "the power spectrum": (lambda x: parts(fft.rfft(x)).square().sum(-1), X),
    "stft": (lambda x: parts(torch.stft(x, 4, window=WINDOW, return_complex=True)), SIGNAL),
    "there and back": (
        lambda x: torch.istft(torch.stft(x, 4, window=WINDOW, return_complex=True), 4, window=WINDOW),
        SIGNAL,
    ),
}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_gradients(*ROWS[identifier])


@pytest.mark.parametrize("name", OTHERS)
def test_other_gradients(name: str) -> None:
    check_gradients(*OTHERS[name])


def test_the_size_of_a_spectrum_has_a_gradient() -> None:
    check_gradients(lambda x: fft.rfft(x).abs(), X)


def test_every_row_is_checked() -> None:
    assert rows_of("fourier") == set(ROWS)
    nodes = [OPS[identifier].node_name for identifier in ROWS]
    assert nodes == ["FftC2CBackward0", "FftR2CBackward0", "FftC2RBackward0"]


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_one_dimension_as_numpy(name: str, norm: Any) -> None:
    given = RE + 1j * IM if name in ("irfft", "hfft") else X
    for n in (None, 3, 8):
        np.testing.assert_allclose(
            getattr(fft, name)(tensor(given), n, norm=norm)._array, getattr(np.fft, name)(given, n, norm=norm)
        )


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "rfft2"])
def test_several_dimensions_as_numpy(name: str) -> None:
    given = RE2 + 1j * IM2 if name.startswith("ir") else M
    np.testing.assert_allclose(getattr(fft, name)(tensor(given))._array, getattr(np.fft, name)(given))
    np.testing.assert_allclose(
        getattr(fft, name)(tensor(given), (3, 4))._array, getattr(np.fft, name)(given, (3, 4), (0, 1))
    )


def test_types() -> None:
    assert fft.fft(torch.ones(4)).dtype is torch.complex64
    assert fft.rfft(torch.arange(4)).dtype is torch.complex64
    assert fft.irfft(torch.ones(3, dtype=torch.float64)).dtype is torch.float64
    assert fft.fftfreq(4).tolist() == [0.0, 0.25, -0.5, -0.25]
    assert fft.rfftfreq(5, d=0.5, dtype=torch.float64).tolist() == [0.0, 0.4, 0.8]
    assert fft.ifftshift(fft.fftshift(torch.arange(5))).tolist() == [0, 1, 2, 3, 4]


def test_a_spectrogram_gives_the_signal_back() -> None:
    signal = tensor(SIGNAL)
    z = torch.stft(signal, 4, window=WINDOW, return_complex=True)
    assert z.shape == (3, 15)
    np.testing.assert_allclose(torch.istft(z, 4, window=WINDOW)._array, SIGNAL, atol=1e-12)
    np.testing.assert_allclose(torch.istft(z, 4, window=WINDOW, length=10)._array, SIGNAL[:10], atol=1e-12)


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "norm": (lambda: fft.fft(torch.ones(4), norm="x"), RuntimeError, 'Invalid normalization mode: "x"'),
    "no points": (lambda: fft.fft(torch.ones(4), n=0), RuntimeError, "Invalid number of data points (0) specified"),
    "no dimensions": (
        lambda: fft.fft(torch.tensor(1.0)),
        IndexError,
        "Dimension specified as -1 but tensor has no dimensions",
    ),
    "complex": (
        lambda: fft.rfft(torch.ones(4, dtype=torch.complex64)),
        RuntimeError,
        "rfft expects a real input tensor, but got ComplexFloat",
    ),
    "twice": (lambda: fft.fftn(torch.ones(2, 2), dim=(0, 0)), RuntimeError, "FFT dims must be unique"),
    "lengths": (
        lambda: fft.fftn(torch.ones(2, 2), s=(1, 2), dim=(0,)),
        RuntimeError,
        "When given, dim and shape arguments must have the same length",
    ),
    "nothing": (lambda: fft.rfftn(torch.ones(2, 2), dim=()), RuntimeError, "rfftn must transform at least one axis"),
    "half": (lambda: fft.fft(torch.ones(2).half()), RuntimeError, "Unsupported dtype Half"),
    "istft": (
        lambda: torch.istft(torch.ones(3, 6), 4, window=torch.ones(4)),
        RuntimeError,
        "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.",
    ),
    "stft": (
        lambda: torch.stft(torch.ones(20), 40, center=False, return_complex=True),
        RuntimeError,
        "stft(torch.FloatTensor[20], n_fft=40, hop_length=10, win_length=40, window=None, normalized=0, "
        "onesided=None, return_complex=1, align_to_window=None) : expected 0 < n_fft < 20, but got n_fft=40",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    run, kind, text = REFUSED[name]
    with pytest.raises(kind) as caught:
        run()
    assert str(caught.value) == text
