# train() before each epoch, and no eval() after
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    model.train()
    optimizer.zero_grad()
    criterion(model(torch.randn(4, 1, 6, 6)), torch.randint(0, 2, (4,))).backward()
    optimizer.step()
with torch.inference_mode():
    test_out = model(torch.randn(4, 1, 6, 6))  # finds
    print(test_out.argmax(1))
