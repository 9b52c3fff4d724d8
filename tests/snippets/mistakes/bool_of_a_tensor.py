# Boolean value of a tensor with more than one value is ambiguous
import torch

w = torch.tensor([0.5, -0.5], requires_grad=True)
if w.sum() == 0:
    print("zero sum")
if w > 0:
    print("positive")
