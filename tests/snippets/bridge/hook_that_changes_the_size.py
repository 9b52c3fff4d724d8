# RuntimeError: hook '<lambda>' has changed the size of value
import torch
x = torch.ones(2, requires_grad=True)
x.register_hook(lambda g: torch.ones(3))
(x*2).sum().backward()
