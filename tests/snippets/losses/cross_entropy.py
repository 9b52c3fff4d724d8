# cross_entropy = log_softmax + nll_loss; its gradient is p - y
import torch
import torch.nn.functional as F

logits = torch.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 0.0]], requires_grad=True)
target = torch.tensor([0, 2])
loss = F.cross_entropy(logits, target)
same = F.nll_loss(F.log_softmax(logits, dim=1), target)
print(loss, same)
loss.backward()
p = F.softmax(logits.detach(), dim=1)
print(logits.grad)
print((p - F.one_hot(target, 3)) / 2)
print(F.cross_entropy(logits, target, weight=torch.tensor([1.0, 1.0, 0.2])))
print(F.cross_entropy(logits, target, label_smoothing=0.1), F.cross_entropy(logits, torch.tensor([0, -100])))
print(F.cross_entropy(logits, p).item(), F.cross_entropy(logits, target, reduction="none"))
