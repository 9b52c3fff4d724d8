# Which in-place activations break backward and which do not
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
def attempt(name, f):
    x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
    try:
        f(x).sum().backward()
        print(f"{name:<22} ok {x.grad.tolist()}")
    except RuntimeError as e:
        print(f"{name:<22} {str(e).split(':')[0][:60]} ... {str(e).split('which is')[-1][:40].strip()}")
attempt("linear then relu_", lambda x: F.relu_(x * 2))
attempt("exp then relu_", lambda x: torch.exp(x).relu_())
attempt("sigmoid then mul_", lambda x: torch.sigmoid(x).mul_(2))
attempt("sigmoid then add_", lambda x: torch.sigmoid(x).add_(1))
attempt("tanh then relu_", lambda x: torch.tanh(x).relu_())
attempt("sin then mul_", lambda x: torch.sin(x).mul_(2))
attempt("mul then mul_ on arg", lambda x: (lambda a: (a * a.mul_(2)))(x * 1))
attempt("square then add_", lambda x: (lambda a: (a ** 2, a.add_(1))[0])(x * 1))
attempt("add then add_", lambda x: (lambda a: (a + 2, a.add_(1))[0])(x * 1))
attempt("softmax then sub_", lambda x: F.softmax(x, 0).sub_(1))
attempt("relu then relu_", lambda x: F.relu(x).relu_())
attempt("relu then mul_", lambda x: F.relu(x).mul_(3))
attempt("clone saves", lambda x: torch.exp(x).clone().add_(1))
attempt("leaky twice", lambda x: F.leaky_relu_(F.leaky_relu_(x * 1)))
attempt("dropout_", lambda x: F.dropout(x * 1, 0.0, inplace=True))
attempt("elu_", lambda x: F.elu_(x * 1, 0.5))
attempt("hardtanh_", lambda x: F.hardtanh_(x * 1))
attempt("silu inplace", lambda x: F.silu(x * 1, inplace=True))
attempt("leaf relu_", lambda x: F.relu_(x))
attempt("div then div_", lambda x: (lambda a: (1 / a, a.div_(2))[0])(x * 1))
attempt("sqrt.pow_", lambda x: (x.abs() + 1).sqrt().pow_(2))
attempt("sum then zero_", lambda x: (lambda a: (a.sum(), a.zero_())[0])(x * 1))
attempt("max then zero_", lambda x: (lambda a: (a.max(), a.zero_())[0])(x * 1))
attempt("index then write", lambda x: (lambda a: (a[0] * a[1], a.__setitem__(2, 9.0))[0])(x * 1))
attempt("view then write", lambda x: (lambda a: (a.view(3) * 2, a.add_(1))[0])(x * 1))
attempt("matmul then write", lambda x: (lambda a: (a @ a, a.add_(1))[0])(x * 1))
attempt("where then write", lambda x: (lambda a: (torch.where(a > 0, a, -a), a.add_(1))[0])(x * 1))
attempt("norm then mul_", lambda x: (lambda a: a.norm().mul_(2))(x * 1))
attempt("cat then write", lambda x: (lambda a: (torch.cat([a, a]), a.add_(1))[0])(x * 1))
seq = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Linear(2, 1))
seq(torch.ones(1, 2)).sum().backward()
print([p.grad is not None for p in seq.parameters()])
class Block(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.fc, self.act = nn.Linear(2, 2), nn.Sigmoid()
        self.relu = nn.ReLU(inplace)
    def forward(self, x):
        y = self.act(self.fc(x))
        return self.relu(y) + y
for flag in (False, True):
    torch.manual_seed(0)
    b = Block(flag)
    try:
        b(torch.ones(1, 2)).sum().backward()
        print(flag, b.fc.bias.grad)
    except RuntimeError as e:
        print(flag, str(e)[:80])
