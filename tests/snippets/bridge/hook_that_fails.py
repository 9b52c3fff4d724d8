# AttributeError: 'Tensor' object has no attribute 'undefined_thing'
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def hook(g):
    return g.undefined_thing
x.register_hook(hook)
(x * 2).sum().backward()
