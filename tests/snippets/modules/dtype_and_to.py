# double(), to(), half of a model and what the optimizer sees
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
print(net.weight.dtype, next(net.parameters()).device)
net.double()
print(net.weight.dtype, net(torch.ones(1, 2, dtype=torch.float64)).dtype)
net.to(torch.float32).to("cpu")
x = torch.ones(1, 2)
print(net(x), x.to("cpu") is x, x.to(torch.float64).dtype)
print(torch.get_default_dtype(), torch.device("cpu"), x.is_cuda, torch.cuda.is_available())
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(f"Using {device}", torch.zeros(2, device=device).device.type)
