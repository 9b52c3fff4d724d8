# bfloat16: how it is made, printed and promoted, and what rounding after each op does to a chain and its gradient.
import torch

x = torch.tensor([0.1, 1.0, 3.14159, 257.0, 1e-3], dtype=torch.bfloat16, requires_grad=True)
print(x, x.dtype, x.element_size(), x.nbytes, x.type())
print(torch.finfo(torch.bfloat16))
print((x + torch.ones(5)).dtype, (x * 2.5).dtype, (x + torch.ones(5).half()).dtype, (x + torch.tensor(1.0)).dtype)
print(torch.promote_types(torch.bfloat16, torch.float16), torch.result_type(x, 1j))
print(x.float(), x.detach().int(), x[2].item(), x.tolist())
print(x + 0.001, x / 3, x.exp(), x.sum(), x.mean())
y = (x * x + x).tanh().sum()
y.backward()
print(y, x.grad)
total = torch.zeros(1, dtype=torch.bfloat16)
for _ in range(300):
    total += 1
print(total)
a = torch.arange(6, dtype=torch.bfloat16).view(2, 3)
print(a @ a.T, torch.ones(2, 2, dtype=torch.bfloat16) * 1.004)
torch.manual_seed(0)
print(torch.randn(4, dtype=torch.bfloat16), torch.rand(20, dtype=torch.bfloat16))
try:
    a.numpy()
except TypeError as error:
    print(error)
try:
    a @ a.T.float()
except RuntimeError as error:
    print(error)
