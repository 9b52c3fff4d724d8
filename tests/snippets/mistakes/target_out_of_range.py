# A class label that does not exist
import torch
import torch.nn.functional as F

logits = torch.zeros(2, 3, requires_grad=True)
print(F.cross_entropy(logits, torch.tensor([0, 2])))
print(F.cross_entropy(logits, torch.tensor([1, 3])))
