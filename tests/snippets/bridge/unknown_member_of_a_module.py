# AttributeError: module 'torch.nn.functional' has no attribute 'foo'
import torch
torch.nn.functional.foo(1)
