# cannot register a hook on a tensor that doesn't require gradient
import torch

x = torch.ones(2)
print(x.requires_grad)
x.register_hook(print)
