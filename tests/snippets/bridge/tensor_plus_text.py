# TypeError: unsupported operand type(s) for +: 'Tensor' and 'str'
import torch
torch.ones(2) + 'a'
