# Indexing beyond the end
import torch

x = torch.arange(4.0, requires_grad=True)
for i in range(5):
    print(i, x[i].item())
