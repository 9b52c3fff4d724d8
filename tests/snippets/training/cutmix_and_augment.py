# Augmentation with index tricks: flips, crops, mixup
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.arange(16.0).view(1, 1, 4, 4)
print(torch.flip(x, dims=[3])[0, 0, 0], x[..., 1:3, 1:3].squeeze(), F.pad(x, (1, 1, 1, 1))[0, 0, 0])
logits = torch.randn(4, 3, requires_grad=True)
labels = torch.tensor([0, 1, 2, 0])
lam = 0.3
perm = torch.randperm(4)
onehot = F.one_hot(labels, 3).float()
mixed = lam * onehot + (1 - lam) * onehot[perm]
loss = -(mixed * F.log_softmax(logits, 1)).sum(1).mean()
loss.backward()
print(perm, mixed, loss, logits.grad, sep="\n")
print(torch.allclose(loss, lam * F.cross_entropy(logits, labels) + (1 - lam) * F.cross_entropy(logits, labels[perm])))
