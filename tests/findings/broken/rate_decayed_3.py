# A schedule that is shorter than the training
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

from torch.optim.lr_scheduler import LambdaLR

EPOCHS = 5


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


def main():
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = LambdaLR(optimizer, lambda step: max(0.0, 1 - step / EPOCHS))  # finds
    data = [(torch.randn(4, 4), torch.randint(0, 3, (4,))) for _ in range(6)]
    for epoch in range(EPOCHS):
        for x, y in data:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            schedule.step()


main()
