# A generator under no_grad
import torch

@torch.no_grad()
def gen(x):
    for i in range(3):
        y = x * i
        yield y, torch.is_grad_enabled()

x = torch.ones(1, requires_grad=True)
for y, flag in gen(x):
    print(y.requires_grad, flag, torch.is_grad_enabled(), (x * y).requires_grad)

class Net(torch.nn.Module):
    @torch.no_grad()
    def predict(self, x):
        return self(x)
    def forward(self, x):
        return x * self.w
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor(2.))
n = Net()
print(n.predict(x), n(x))
print(torch.set_grad_enabled(True))
prev = torch.is_grad_enabled()
torch.set_grad_enabled(False)
print((x * 2).requires_grad)
torch.set_grad_enabled(prev)
print((x * 2).requires_grad)
