# A stable log-sum-exp, naive and built in
import torch

x = torch.tensor([1000.0, 1000.5, 999.0], requires_grad=True)
naive = torch.log(torch.exp(x).sum())
stable = x.max().detach() + torch.log(torch.exp(x - x.max().detach()).sum())
builtin = torch.logsumexp(x, dim=0)
print(naive.item(), stable.item(), builtin.item())
for y in (naive, stable, builtin):
    x.grad = None
    y.backward()
    print(x.grad)
print(torch.softmax(x.detach(), 0))
