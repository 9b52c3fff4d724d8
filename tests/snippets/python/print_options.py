# How tensors print: precision, scientific notation, large tensors
import torch

print(torch.tensor([1e-8, 1.0]), torch.tensor([1e5, 1.0]), torch.tensor([123456.0, 0.001]))
print(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 100.25]), torch.tensor([float("nan"), 1.0]))
print(torch.zeros(2, 0), torch.empty(0), torch.tensor([]), torch.tensor([True, False]), torch.tensor(5))
print(torch.arange(2000))
print(torch.ones(50, 50))
torch.set_printoptions(precision=2, sci_mode=False)
print(torch.tensor([1e-8, 3.14159]), torch.tensor(2.71828))
torch.set_printoptions(profile="default")
print(torch.ones(2, 2, 2, dtype=torch.float64), torch.ones(2, dtype=torch.int32), torch.ones(1, dtype=torch.float16))
print(torch.arange(30.0), torch.tensor([[0.1, -20.0], [300.0, 4.0]], requires_grad=True))
print(torch.tensor(1 + 2j), torch.tensor([1e10, 1e-10]), torch.full((2, 3), -0.5))
