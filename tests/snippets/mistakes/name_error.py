# A misspelt variable
import torch

x = torch.tensor(1.0, requires_grad=True)
loss = x ** 2
for i in range(2):
    print(i, loss.item())
print(los.item())
