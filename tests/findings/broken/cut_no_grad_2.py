# The features of a model that is to be trained are computed under no_grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(3, 5)
        self.head = nn.Linear(5, 1)

    def forward(self, x):
        with torch.no_grad():  # finds model.features.weight
            h = torch.relu(self.features(x))
        return self.head(h)


model = Model()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = model(torch.randn(4, 3)).pow(2).mean()
    loss.backward()
    opt.step()
