# NLLLoss of what each pixel of a convolution scores
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.out = nn.Conv2d(4, 3, 1)

    def forward(self, x):
        return self.out(torch.relu(self.conv(x)))


model, criterion = Segmenter(), nn.NLLLoss()
opt = torch.optim.Adam(model.parameters(), lr=0.001)
for _ in range(2):
    images, masks = torch.randn(2, 1, 5, 5), torch.randint(0, 3, (2, 5, 5))
    scores = model(images)
    loss = criterion(scores, masks)  # finds scores
    opt.zero_grad()
    loss.backward()
    opt.step()
