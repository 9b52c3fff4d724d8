# Anomaly mode points at the forward line of a NaN
import torch
import math
import warnings

x = torch.zeros(3, requires_grad=True)
y = x.sqrt()
z = (y * 0).sum()
z.backward()
print(x.grad, torch.isnan(x.grad).any().item(), math.isnan(x.grad[0]))
x.grad = None
try:
    with torch.autograd.detect_anomaly():
        y = x.sqrt()
        z = (y * 0).sum()
        z.backward()
except RuntimeError as err:
    print("RuntimeError:", err)
print(x.grad)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())

def safe_sqrt(t, eps=1e-12):
    return torch.where(t > 0, t.clamp_min(eps).sqrt(), torch.zeros_like(t))

with torch.autograd.set_detect_anomaly(True):
    safe_sqrt(x).sum().backward()
print(x.grad)
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    w = torch.tensor([0.0, 4.0], requires_grad=True)
    (w.sqrt() * torch.tensor([0.0, 1.0])).sum().backward()
    print(w.grad)
w.grad.zero_()
h = w.register_hook(lambda g: torch.nan_to_num(g, nan=0.0))
(w.sqrt() * torch.tensor([0.0, 1.0])).sum().backward()
print(w.grad)
h.remove()
