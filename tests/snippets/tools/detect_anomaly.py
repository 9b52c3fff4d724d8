# detect_anomaly turns a NaN gradient into an error
import torch
import warnings

warnings.simplefilter("ignore")
x = torch.tensor([-1.0, 4.0], requires_grad=True)
y = torch.sqrt(x)
print(y)
y.sum().backward()
print(x.grad)
try:
    with torch.autograd.detect_anomaly(check_nan=True):
        x.grad = None
        torch.sqrt(x).sum().backward()
except RuntimeError as e:
    print("RuntimeError:", e)
