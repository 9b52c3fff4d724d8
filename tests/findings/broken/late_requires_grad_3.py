# The image requires grad after the model has seen it
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

model = nn.Linear(4, 3)
model.requires_grad_(False)
image = torch.rand(1, 4)
scores = model(image)  # finds image
image.requires_grad = True
scores[0, 1].backward()
