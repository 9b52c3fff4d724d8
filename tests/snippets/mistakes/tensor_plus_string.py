# Adding a string to a tensor
import torch

loss = torch.tensor(0.5)
print("Loss: " + str(loss.item()))
print("Loss: " + loss)
