# Saved tensors go through any functions: torch's own, methods of an object
import torch

with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().numpy(), torch.from_numpy):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a * a.exp()
b.sum().backward()
print(a.grad)

with torch.autograd.graph.saved_tensors_hooks(torch.clone, torch.neg):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a * a.exp()
b.sum().backward()
print(a.grad)


class Compressed(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self):
        super().__init__(lambda t: t.detach().numpy().astype("float64"), torch.from_numpy)


with Compressed():
    a = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.float64)
    b = (a**3).sum()
b.backward()
print(a.grad)

y = (a * a).sum()
z = a.exp()
z.grad_fn._raw_saved_result.register_hooks(lambda t: t.detach().numpy(), torch.from_numpy)
z.sum().backward()
print(a.grad)

try:
    with torch.autograd.graph.saved_tensors_hooks(3, 4):
        pass
except TypeError as error:
    print(error)
