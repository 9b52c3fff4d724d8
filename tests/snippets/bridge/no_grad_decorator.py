# no_grad as decorator and as block
import torch
@torch.no_grad()
def f(x): return x * 2
x = torch.ones(1, requires_grad=True)
print(f(x).requires_grad, f.__name__)
with torch.no_grad(): y = x * 2
print(y.requires_grad, torch.is_grad_enabled())
try:
    with torch.no_grad(): raise ValueError
except ValueError: print(torch.is_grad_enabled())
with torch.set_grad_enabled(False), torch.enable_grad(): print(torch.is_grad_enabled())
torch.set_grad_enabled(False); print((x * 2).requires_grad)
