# float against double in a linear layer
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
data = np.array([[1.0, 2.0], [3.0, 4.0]])
x = torch.from_numpy(data)
print(x.dtype)
model = nn.Linear(2, 1)
print(model(x.float()).shape)
print(model(x))
