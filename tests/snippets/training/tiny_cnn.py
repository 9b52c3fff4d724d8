# A tiny CNN that learns bars and columns
import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(4 * 3 * 3, 2)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = torch.flatten(x, 1)
        return self.fc1(x)

images = torch.zeros(6, 1, 6, 6)
for i in range(3):
    images[i, 0, 2 * i, :] = 1
    images[i + 3, 0, :, 2 * i] = 1
labels = torch.tensor([0, 0, 0, 1, 1, 1])
torch.manual_seed(0)
net = Net()
print(net)
opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
for epoch in range(6):
    opt.zero_grad()
    out = net(images)
    loss = F.cross_entropy(out, labels)
    loss.backward()
    opt.step()
    correct = (out.argmax(1) == labels).sum().item()
    print(f"[{epoch + 1}] loss: {loss.item():.3f} correct: {correct}/{len(labels)}")
print(net.conv1.weight.grad.shape, F.softmax(out, dim=1)[0].detach())
