# More indices than dimensions
import torch

x = torch.zeros(2, 3)
print(x[1, 2])
print(x[1, 2, 0])
