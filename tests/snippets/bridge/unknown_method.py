# AttributeError: 'Tensor' object has no attribute 'foo'
import torch
torch.ones(2).foo
