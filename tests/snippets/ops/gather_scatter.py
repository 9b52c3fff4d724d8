# gather picks, scatter_add puts back
import torch

scores = torch.tensor([[0.1, 0.9, 0.3], [0.8, 0.2, 0.5]], requires_grad=True)
labels = torch.tensor([1, 0])
picked = scores.gather(1, labels.unsqueeze(1)).squeeze(1)
print(picked)
picked.prod().backward()
print(scores.grad)
src = torch.ones(2, 3, requires_grad=True)
out = torch.zeros(2, 2).scatter_add(1, torch.tensor([[0, 0, 1], [1, 1, 1]]), src)
print(out)
(out * torch.tensor([[1., 2.], [3., 4.]])).sum().backward()
print(src.grad)
print(torch.take_along_dim(scores, scores.argsort(dim=1), dim=1))
