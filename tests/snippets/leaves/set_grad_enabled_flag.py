# One function for training and evaluation
import torch

w = torch.tensor(2.0, requires_grad=True)

def run(train):
    with torch.set_grad_enabled(train):
        return w ** 2 + 1

for mode in (True, False):
    out = run(mode)
    print(f"train={mode}: {out}  requires_grad={out.requires_grad}")
torch.set_grad_enabled(False)
print((w * 2).requires_grad)
torch.set_grad_enabled(True)
print((w * 2).requires_grad)
prev = torch.is_grad_enabled()
print("enabled:", prev)
