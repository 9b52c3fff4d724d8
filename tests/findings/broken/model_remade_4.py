# A sequential model and its optimizer for each iteration
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

data = [(torch.randn(6, 5), torch.rand(6, 1)) for _ in range(4)]
criterion = nn.BCEWithLogitsLoss()
iteration = 0
for iteration in range(len(data)):
    inputs, labels = data[iteration]
    model = nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1))  # finds model.0.weight
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    optimizer.zero_grad()
    criterion(model(inputs), labels).backward()
    optimizer.step()
