# What is made under no_grad has no history, but still needs no grad afterwards
import torch

w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    a = w * 2
    b = torch.zeros(2, requires_grad=True)
    print("inside: a", a.requires_grad, "b", b.requires_grad, "enabled", torch.is_grad_enabled())
    with torch.enable_grad():
        c = w * 3
        print("re-enabled: c", c.requires_grad, c.grad_fn.name())
print("outside: enabled", torch.is_grad_enabled())
(w * a + c).sum().backward()
print(w.grad)

@torch.no_grad()
def double(x):
    return x * 2

print(double(w).requires_grad, double.__name__)
