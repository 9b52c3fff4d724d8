# AttributeError: cannot assign module before Module.__init__() call
import torch
class Net(torch.nn.Module):
    def __init__(self):
        self.fc = torch.nn.Linear(1, 1)
Net()
