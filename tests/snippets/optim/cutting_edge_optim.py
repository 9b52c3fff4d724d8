# Optimisers by hand: Lion, Adafactor-like, Shampoo, SAM two-step, lookahead, gradient centralisation
import torch
import torch.nn as nn
import torch.nn.functional as F

def problem(seed=0):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.randn(16, 3)
    return net, x, (x ** 2).sum(1, keepdim=True)

class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-2, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in filter(lambda p: p.grad is not None, group["params"]):
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(torch.sign(m * b1 + p.grad * (1 - b1)), alpha=-group["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)

class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params, self.base, self.rho = list(params), base, rho
    def step(self, closure):
        loss = closure()
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        eps = []
        with torch.no_grad():
            for p in self.params:
                e = p.grad * (self.rho / (norm + 1e-12))
                p.add_(e); eps.append(e)
        closure()
        with torch.no_grad():
            for p, e in zip(self.params, eps):
                p.sub_(e)
        self.base.step()
        return loss

def run(make, steps=4):
    net, x, y = problem()
    opt = make(net)
    def closure():
        net.zero_grad()
        l = F.mse_loss(net(x), y)
        l.backward()
        return l
    out = []
    for _ in range(steps):
        if isinstance(opt, SAM):
            out.append(opt.step(closure).item())
        else:
            out.append(closure().item())
            opt.step()
    return [round(v, 5) for v in out]

for name, make in {
    "lion": lambda n: Lion(n.parameters(), weight_decay=0.1), "sam": lambda n: SAM(n.parameters(), torch.optim.SGD(n.parameters(), 0.05)),
    "sgd": lambda n: torch.optim.SGD(n.parameters(), 0.05, momentum=0.9, nesterov=True), "adam": lambda n: torch.optim.Adam(n.parameters(), 0.05),
    "adamw": lambda n: torch.optim.AdamW(n.parameters(), 0.05, amsgrad=True), "rmsprop": lambda n: torch.optim.RMSprop(n.parameters(), 0.01, centered=True, momentum=0.5),
    "adagrad": lambda n: torch.optim.Adagrad(n.parameters(), 0.1, lr_decay=0.1), "adadelta": lambda n: torch.optim.Adadelta(n.parameters(), 1.0), "adamax": lambda n: torch.optim.Adamax(n.parameters(), 0.05),
    "nadam": lambda n: torch.optim.NAdam(n.parameters(), 0.05), "radam": lambda n: torch.optim.RAdam(n.parameters(), 0.05), "rprop": lambda n: torch.optim.Rprop(n.parameters(), 0.01), "asgd": lambda n: torch.optim.ASGD(n.parameters(), 0.05), "maximize": lambda n: torch.optim.SGD(n.parameters(), 0.01, maximize=True),
}.items():
    print(f"{name:<9}", run(make))
net, x, y = problem()
fast = torch.optim.SGD(net.parameters(), lr=0.1)
slow = [p.detach().clone() for p in net.parameters()]
for k in range(6):
    fast.zero_grad(); F.mse_loss(net(x), y).backward()
    for p in net.parameters():
        if p.dim() > 1:
            p.grad.sub_(p.grad.mean(dim=1, keepdim=True))
    fast.step()
    if k % 3 == 2:
        with torch.no_grad():
            for s, p in zip(slow, net.parameters()):
                s.add_(p - s, alpha=0.5); p.copy_(s)
print(F.mse_loss(net(x), y).item())
