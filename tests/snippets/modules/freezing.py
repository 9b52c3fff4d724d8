# Freeze the backbone, train the head
import torch
import torch.nn as nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
head = nn.Linear(4, 2)
model = nn.Sequential(backbone, head)
for p in backbone.parameters():
    p.requires_grad = False
print([(n, p.requires_grad) for n, p in model.named_parameters()])
opt = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.1)
before = {n: p.clone() for n, p in model.named_parameters()}
loss = nn.functional.cross_entropy(model(torch.randn(5, 4)), torch.tensor([0, 1, 0, 1, 1]))
loss.backward()
opt.step()
for n, p in model.named_parameters():
    print(f"{n:12} grad {'yes' if p.grad is not None else 'no ':3} changed {not torch.equal(p, before[n])}")
head.requires_grad_(False)
print(any(p.requires_grad for p in model.parameters()))
