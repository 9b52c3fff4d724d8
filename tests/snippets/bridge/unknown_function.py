# AttributeError: module 'torch' has no attribute 'foo'
import torch
torch.foo
