# RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x1)
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 1)
    def forward(self, x):
        return self.fc(x)
Net()(torch.ones(2))
