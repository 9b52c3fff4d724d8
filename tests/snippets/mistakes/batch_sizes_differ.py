# Expected input batch_size to match target batch_size
import torch
import torch.nn as nn

criterion = nn.CrossEntropyLoss()
out = torch.randn(4, 3, requires_grad=True, generator=torch.Generator().manual_seed(0))
labels = torch.tensor([0, 1, 2])
print(out.shape, labels.shape)
loss = criterion(out, labels)
