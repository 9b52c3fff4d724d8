"""Fourier transforms and spectrograms."""

from __future__ import annotations

from engine.errors.warnings import warn


def fft_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"Unsupported dtype {type_name}")


def fft_norm(mode: object) -> RuntimeError:
    return RuntimeError(f'Invalid normalization mode: "{mode}"')


def fft_points(count: int) -> RuntimeError:
    return RuntimeError(f"Invalid number of data points ({count}) specified")


def fft_no_dimensions(dim: int) -> IndexError:
    return IndexError(f"Dimension specified as {dim} but tensor has no dimensions")


def fft_needs_real(function: str, type_name: str) -> RuntimeError:
    kind = "a real-valued input" if function.endswith("n") else "a real input"
    return RuntimeError(f"{function} expects {kind} tensor, but got {type_name}")


def fft_floating_only(type_name: str) -> RuntimeError:
    return RuntimeError(f"Only supports floating-point dtypes, but found: {type_name}")


def fft_repeated_dims() -> RuntimeError:
    return RuntimeError("FFT dims must be unique")


def fft_lengths() -> RuntimeError:
    return RuntimeError("When given, dim and shape arguments must have the same length")


def fft_too_many_sizes(sizes: int, ndim: int) -> RuntimeError:
    return RuntimeError(f"Got shape with {sizes} values but input tensor only has {ndim} dimensions.")


def fft_no_axis(function: str) -> RuntimeError:
    return RuntimeError(f"{function} must transform at least one axis")


# --- spectrograms


def stft_return_complex() -> RuntimeError:
    return RuntimeError(
        "stft requires the return_complex parameter be given for real inputs, and will further require that "
        "return_complex=True in a future PyTorch release."
    )


def stft_argument(call: str, text: str) -> RuntimeError:
    """`call`: how PyTorch shows the call with all its arguments."""
    return RuntimeError(f"{call} : {text}")


def istft_complex() -> RuntimeError:
    return RuntimeError(
        "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
    )


def warn_stft_window() -> None:
    # The missing spaces are PyTorch's, here and below.
    warn(
        UserWarning,
        "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. "
        "Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage."
        "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, "
        "device=<device>)`.",
        once="stft_window",
    )


def warn_stft_real() -> None:
    warn(
        UserWarning,
        "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors "
        "for all inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on "
        "the complex output to recover the old return format.",
        once="stft_real",
    )


def warn_istft_window() -> None:
    warn(
        UserWarning,
        "A window was not provided. A rectangular window will be applied.Please provide the same window used by stft "
        "to make the inversion lossless.To suppress this warning and use a rectangular window, explicitly set "
        "`window=torch.ones(n_fft, device=<device>)`.",
        once="istft_window",
    )


def istft_window_envelope(call: str) -> RuntimeError:
    return RuntimeError(f"{call} window overlap add min: 1\n[ CPUBoolType{{}} ]")  # whether it is too small


def onesided_complex() -> RuntimeError:
    return RuntimeError("Cannot have onesided output if window or input is complex")


def istft_complex_window() -> RuntimeError:
    return RuntimeError("Complex windows are incompatible with return_complex=False")


def warn_istft_short() -> None:
    warn(
        UserWarning,
        "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
        "Please check your center and hop_length settings.",
        once="istft_short",
    )


def fft_no_batch() -> RuntimeError:
    return RuntimeError("MKL FFT error: Intel oneMKL DFTI ERROR: Inconsistent configuration parameters")


def stft_aligned() -> RuntimeError:
    return RuntimeError("stft align_to_window should only be set when center = false")
