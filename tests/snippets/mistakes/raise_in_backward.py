# An exception of our own inside a hook
import torch

def check(g):
    if torch.isnan(g).any():
        raise ValueError(f"NaN gradient: {g}")

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = torch.sqrt(x)
y.register_hook(check)
x.register_hook(check)
loss = (y * 0).sum()
loss.backward()
