# .item() leaves the graph
import torch

w = torch.tensor(1.0, requires_grad=True)
total = 0.0
for x in (1.0, 2.0, 3.0):
    total += ((w * x) ** 2).item()
print(total, type(total).__name__)
total.backward()
