# A hook that masks the gradient of some rows
import torch
import torch.nn as nn

torch.manual_seed(0)
emb = nn.Embedding(5, 2)
mask = torch.tensor([0., 1., 1., 0., 1.]).unsqueeze(1)
handle = emb.weight.register_hook(lambda g: g * mask)
opt = torch.optim.SGD(emb.parameters(), lr=1.0)
before = emb.weight.detach().clone()
emb(torch.tensor([0, 1, 3, 4])).sum().backward()
opt.step()
changed = (emb.weight != before).any(dim=1)
print(changed, emb.weight.grad)
with handle:
    pass
print(len(emb.weight._backward_hooks or {}))
