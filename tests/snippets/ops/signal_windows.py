# torch.signal.windows, and a gradient through a windowed spectrum
import torch
from torch.signal import windows

for name in ("bartlett", "blackman", "cosine", "exponential", "gaussian", "hamming", "hann", "kaiser", "nuttall"):
    window = getattr(windows, name)
    print(name, window(6), window(5, sym=False, dtype=torch.float64))
print(windows.general_cosine(5, a=[0.5, 0.3, 0.2]), windows.general_hamming(4, alpha=0.6), windows.exponential(5, center=0, sym=False, tau=2.0))
print(windows.kaiser(4, beta=4.0), windows.gaussian(4, std=0.5), windows.hann(0), windows.hann(1))
x = torch.linspace(0, 1, 8, requires_grad=True)
power = torch.fft.rfft(x * windows.hann(8)).abs().pow(2).sum()
power.backward()
print(power, x.grad)
for f in (lambda: windows.hann(-1), lambda: windows.hann(3, dtype=torch.int64), lambda: windows.gaussian(3, std=0), lambda: windows.exponential(3, center=1.0), lambda: windows.general_cosine(3, a=[])):
    try:
        f()
    except ValueError as e:
        print(e)
