# ParameterList, ParameterDict and plain tensors that are not registered
import torch
import torch.nn as nn

class Poly(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coeffs = nn.ParameterList([nn.Parameter(torch.tensor(float(i))) for i in range(degree + 1)])
        self.extra = nn.ParameterDict({"shift": nn.Parameter(torch.zeros(1))})
        self.plain = torch.ones(1, requires_grad=True)

    def forward(self, x):
        return sum(c * (x + self.extra["shift"]) ** i for i, c in enumerate(self.coeffs)) * self.plain

p = Poly(3)
print([n for n, _ in p.named_parameters()])
y = p(torch.tensor([2.0]))
print(y)
y.backward()
print([c.grad.item() for c in p.coeffs], p.extra["shift"].grad, p.plain.grad)
print(len(list(p.parameters())), p)
