# allow_mutation_on_saved_tensors
import torch

with torch.autograd.graph.allow_mutation_on_saved_tensors():
    a = torch.ones(2, 3, requires_grad=True)
    b = a.clone()
    out = (b ** 2).sum()
    b.sin_()
    out.sum().backward()
print(a.grad)
