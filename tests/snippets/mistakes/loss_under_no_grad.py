# The forward pass ran under no_grad
import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(2, 1)

def evaluate(x):
    with torch.no_grad():
        return model(x)

loss = evaluate(torch.ones(1, 2)).mean()
print(loss.requires_grad)
loss.backward()
