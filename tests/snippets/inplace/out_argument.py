# out= and leaf writes that are refused
import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
buffer = torch.empty(2)
try:
    torch.mul(a, 2, out=buffer)
except RuntimeError as e:
    print(e)
with torch.no_grad():
    torch.mul(a, 2, out=buffer)
print(buffer)
for op in ("add_", "mul_", "zero_"):
    try:
        getattr(a, op)(*([] if op == "zero_" else [1.0]))
    except RuntimeError as e:
        print(op, "->", e)
view = a[0:1]
try:
    view += 1
except RuntimeError as e:
    print(e)
