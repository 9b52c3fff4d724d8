# grad can be implicitly created only for scalar outputs
import torch

x = torch.arange(3.0, requires_grad=True)
y = x * 2
print(y)
y.backward()
print("never printed")
