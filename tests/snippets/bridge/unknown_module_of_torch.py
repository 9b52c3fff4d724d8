# ModuleNotFoundError: No module named 'torch.foo'
import torch.foo
