# prod and cumprod with zeros in the input
import torch

for data in ([1.0, 2.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0]):
    x = torch.tensor(data, requires_grad=True)
    x.prod().backward()
    p = x.grad.clone()
    x.grad = None
    x.cumprod(0).sum().backward()
    print(data, p.tolist(), x.grad.tolist())
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
m.prod(dim=1, keepdim=True).sum().backward()
print(m.grad)
