# save_on_cpu and half precision packing
import torch
from torch.autograd.graph import saved_tensors_hooks, save_on_cpu

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([0.5, 0.25, 1.5], requires_grad=True)
with save_on_cpu(pin_memory=False):
    (a * b).sum().backward()
print(a.grad, b.grad)
a.grad = b.grad = None
with saved_tensors_hooks(lambda t: t.to(torch.float16), lambda t: t.to(torch.float32)):
    out = (a * b * 1.0001).sum()
out.backward()
print(a.grad, b.grad)
