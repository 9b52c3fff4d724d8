# Where several zeros are multiplied into one place, the second derivative says that it is not there.
import torch

start = torch.tensor([1.0, 2.0], requires_grad=True)
index = torch.tensor([0, 0, 1])
for zeros in ([0.0, 0.0, 3.0], [0.0, 2.0, 3.0]):
    src = torch.tensor(zeros, requires_grad=True)
    for function in (torch.scatter_reduce, torch.index_reduce):
        out = function(start, 0, index, src, "prod")
        print(torch.autograd.grad(out.sum(), (start, src), retain_graph=True))
        own, other = torch.autograd.grad(out.sum(), (start, src), create_graph=True)
        print(own.grad_fn.name(), other.grad_fn.name(), other.requires_grad)
        print(torch.autograd.grad(own.sum(), src, retain_graph=True))
        for tensor in (start, src):
            try:
                print(torch.autograd.grad(other.sum(), tensor, retain_graph=True))
            except RuntimeError as error:
                print(error)

raw = (start * start).grad_fn._raw_saved_self
print(type(raw) is torch.autograd.SavedTensor)
try:
    torch.autograd.SavedTensor()
except RuntimeError as error:
    print(error)
