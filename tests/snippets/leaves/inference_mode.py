# inference_mode makes inference tensors
import torch

x = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    y = x * 2
    print(y.requires_grad, y.is_inference(), torch.is_inference_mode_enabled())
print(y.is_inference(), x.is_inference())
try:
    (y * x).sum().backward()
except RuntimeError as e:
    print("RuntimeError:", e)
try:
    y.add_(1)
except RuntimeError as e:
    print("RuntimeError:", str(e)[:70])
z = y.clone()
print(z.is_inference(), (z * x).requires_grad)
