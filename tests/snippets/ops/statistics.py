# mean, var, std, normalisation by hand
import torch

x = torch.tensor([[1.0, 2.0, 4.0], [0.0, -1.0, 1.0]], requires_grad=True)
print(x.mean(), x.mean(dim=0), x.mean(1, keepdim=True))
print(x.var(), x.var(unbiased=False), x.std(dim=1), x.std(dim=1, correction=0))
z = (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)
print(z)
z[0, 0].backward()
print(x.grad)
print(torch.var_mean(x, dim=1))
print(x.sum(dim=(0, 1)), x.median(), x.quantile(0.25).item(), x.detach().histc(3, -1, 4))
