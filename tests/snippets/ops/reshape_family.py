# view, reshape, permute, transpose, squeeze, flatten: nodes and strides
import torch

x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
for name, y in {
    "view": x.view(6, 4), "reshape": x.reshape(-1), "permute": x.permute(2, 0, 1), "transpose": x.transpose(0, 2),
    "T of 2d": x[0].T, "flatten": x.flatten(1), "unsqueeze": x.unsqueeze(0), "squeeze": x.unsqueeze(0).squeeze(0),
    "movedim": x.movedim(0, -1), "swapaxes": x.swapaxes(1, 2), "unflatten": x.unflatten(2, (2, 2)), "narrow": x.narrow(1, 0, 2),
}.items():
    print(f"{name:10} {str(tuple(y.shape)):15} stride {str(y.stride()):16} {y.grad_fn.name():22} contiguous {y.is_contiguous()}")
try:
    x.transpose(0, 1).view(-1)
except RuntimeError as e:
    print(e)
x.permute(2, 0, 1).reshape(4, -1)[1].sum().backward()
print(x.grad[0])
