# Images with channels last
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 3)

    def forward(self, img):
        img = img.view(img.size(0), 3, 8, 6)  # finds batch
        return self.conv(img).mean()


net = Net()
opt = torch.optim.Adam(net.parameters())
batch = torch.randn(2, 8, 6, 3)
net(batch).backward()
opt.step()
