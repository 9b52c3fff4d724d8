# cross_entropy wants class indices as long
import torch
import torch.nn as nn

logits = torch.zeros(2, 3, requires_grad=True)
target = torch.tensor([0, 2], dtype=torch.int32)
loss = nn.CrossEntropyLoss()(logits, target)
