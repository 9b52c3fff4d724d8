# A hook that returns something that is not a gradient
import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(lambda g: "nothing")
y.sum().backward()
