# What the inverse of a spectrogram asks of it and of the window, and what windows are made with
import torch

x = torch.arange(32.0).sin()
window = torch.ones(10)
S = torch.stft(x, 10, return_complex=True, window=window)
whole = torch.stft(x, 10, onesided=False, return_complex=True, window=window)
calls = [
    lambda: torch.istft(S[:5], 10, window=window),
    lambda: torch.istft(S, 10, onesided=False, window=window),
    lambda: torch.istft(whole, 10, onesided=True, window=window),
    lambda: torch.istft(S, 10, window=torch.ones(8)),
    lambda: torch.istft(S, 10, window=window, win_length=8),
    lambda: torch.istft(S, 10, hop_length=11, window=window),
    lambda: torch.istft(S, 10, hop_length=9, win_length=8, window=torch.ones(8)),
    lambda: torch.istft(S, 10, win_length=12, window=torch.ones(12)),
    lambda: torch.istft(S, 10, hop_length=0, window=window),
    lambda: torch.istft(S[0], 10, window=window),
    lambda: torch.istft(S[None, None], 10, window=window),
    lambda: torch.istft(S[:, :0], 10, window=window),
    lambda: torch.istft(S, 10, window=torch.ones(2, 5)),
    lambda: torch.istft(S, 10, window=window, return_complex=True),
    lambda: torch.istft(S, 10, window=window.to(torch.complex64)),
    lambda: torch.istft(S.to(torch.complex128), 10, normalized=True, center=False, window=torch.zeros(10)),
    lambda: torch.istft(S, 10, window=torch.hann_window(10), center=False),
    lambda: torch.istft(S, 10, window=window, length=0),
    lambda: torch.stft(x, 10, onesided=True, window=window + 0j, return_complex=True),
    lambda: torch.istft(S, 10, window=window) - x < 1e-4,
    lambda: torch.istft(whole, 10, window=window, return_complex=True).shape,
    lambda: torch.kaiser_window(4, beta=3.0),
    lambda: torch.hamming_window(4, alpha=0.5),
    lambda: torch.hamming_window(4, True, beta=0.5),
    lambda: torch.hann_window(4, 1),
    lambda: torch.kaiser_window(4, True, beta=3.0),
    lambda: torch.hamming_window(4, True, 0.5, 0.4),
    lambda: torch.blackman_window(5, False),
    lambda: torch.blackman_window(4, dtype=torch.float64),
]
for call in calls:
    try:
        print(call())
    except (IndexError, RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
