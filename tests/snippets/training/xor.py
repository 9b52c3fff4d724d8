# XOR with two hidden units, from fixed weights
import torch
import torch.nn as nn
import torch.nn.functional as F

X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])

class Xor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(2, 2), nn.Linear(2, 1)
        with torch.no_grad():
            self.fc1.weight.copy_(torch.tensor([[0.6, -0.4], [-0.5, 0.7]]))
            self.fc2.weight.copy_(torch.tensor([[0.8, 0.9]]))
            for layer in (self.fc1, self.fc2):
                layer.bias.zero_()

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))

net = Xor()
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for step in range(40):
    opt.zero_grad()
    loss = F.binary_cross_entropy_with_logits(net(X), Y)
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step + 1, "%.3f" % loss)
print((net(X) > 0).int().flatten().tolist())
