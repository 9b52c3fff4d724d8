# Where NaN and inf come from
import torch

def grad(f, value):
    x = torch.tensor(value, requires_grad=True)
    y = f(x)
    y.backward()
    return y.item(), x.grad.item()

cases = {
    "log(0)": (torch.log, 0.0), "sqrt(0)": (torch.sqrt, 0.0), "1/x at 0": (lambda x: 1 / x, 0.0),
    "x**0.5 at 0": (lambda x: x ** 0.5, 0.0), "exp(100)": (torch.exp, 100.0), "acos(1)": (torch.acos, 1.0),
    "norm at 0": (torch.norm, 0.0), "0*log(0)": (lambda x: x * torch.log(x), 0.0), "x**0 at 0": (lambda x: x ** 0, 0.0),
    "log1p(-1)": (torch.log1p, -1.0), "atan2(x, x)": (lambda x: torch.atan2(x, x), 0.0), "sign": (torch.sign, -2.0),
}
for name, (f, v) in cases.items():
    value, slope = grad(f, v)
    print(f"{name:12} value {value:>8} slope {slope:>8}")
print(torch.isnan(torch.tensor([1.0, float("nan")])).any().item(), torch.tensor([float("inf"), -float("inf"), float("nan")]))
