# TypeError: Linear.__init__() missing 1 required positional argument: 'out_features'
import torch
torch.nn.Linear(2)
