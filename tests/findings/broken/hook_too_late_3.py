# A full backward hook on a module that has been gone through
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def show(module, grad_input, grad_output):
    print(module, grad_output)


model = Net()
F.cross_entropy(model(torch.randn(5, 4)), torch.tensor([0, 1, 0, 1, 0])).backward()
model.fc.register_full_backward_hook(show)  # finds model.fc.weight
