# Hooks on all parameters, once their gradients are there
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)



def check():
    layer = nn.Linear(3, 2)
    layer(torch.ones(2, 3)).sum().backward()
    for name, p in layer.named_parameters():
        p.register_hook(lambda g, name=name: print(name, g.shape))  # finds layer.weight
    return layer


check()
