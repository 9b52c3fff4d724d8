# A required argument is missing
import torch

def step(w, lr, momentum):
    return w - lr * momentum

print(step(1.0, 0.1, 0.9))
print(step(torch.tensor(1.0), 0.1))
