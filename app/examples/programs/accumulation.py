import torch

w = torch.tensor(3.0, requires_grad=True)

(w * 2).backward()
print("after the first backward: ", w.grad)

(w * 2).backward()
print("after the second:         ", w.grad)

w.grad.zero_()
(w * 2).backward()
print("zeroed in between:        ", w.grad)
