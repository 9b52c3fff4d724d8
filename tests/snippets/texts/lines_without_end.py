# `linewidth` may be any number until there is a line to break
import math

import numpy as np
import torch

np.set_printoptions(linewidth=np.inf, threshold=np.inf)
print(np.arange(60))
print(np.zeros((2, 600)).astype(int))

torch.set_printoptions(linewidth=math.inf)
print(torch.tensor(1.5), torch.zeros(0))
try:
    print(torch.arange(3))
except OverflowError as error:
    print(error)
torch.set_printoptions(linewidth=200.0)
print(torch.arange(80))
print(torch.zeros(2, 40, requires_grad=True))
torch.set_printoptions(profile="default")
