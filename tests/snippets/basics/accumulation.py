# .grad is added to, never replaced
import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
print("before:", w.grad)
for step in range(1, 4):
    loss = (w * torch.tensor([3.0, 4.0])).sum()
    loss.backward()
    print(f"after backward {step}: {w.grad}")
w.grad.zero_()
print("after zero_():", w.grad)
loss = (w ** 2).sum()
loss.backward()
print("fresh:", w.grad)
w.grad = None
print("after None:", w.grad)
