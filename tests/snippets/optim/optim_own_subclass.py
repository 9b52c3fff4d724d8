# A custom optimizer class and a custom scheduler with LambdaLR
import math
import torch
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR

class SignSGD(Optimizer):
    def __init__(self, params, lr=1e-2, beta=0.9, weight_decay=0.0):
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        defaults = dict(lr=lr, beta=beta, weight_decay=weight_decay)
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p)
                state["step"] += 1
                m = state["exp_avg"]
                m.mul_(group["beta"]).add_(p.grad, alpha=1 - group["beta"])
                if group["weight_decay"]:
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(m.sign(), alpha=-group["lr"])
        return loss

w = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
b = torch.nn.Parameter(torch.zeros(1))
opt = SignSGD([{"params": [w]}, {"params": [b], "lr": 0.5}], lr=0.1, weight_decay=0.01)
print(opt)
warm = lambda e: min(1.0, (e + 1) / 3) * 0.5 * (1 + math.cos(math.pi * e / 10))
sch = LambdaLR(opt, lr_lambda=[warm, lambda e: 0.95 ** e])

def closure():
    opt.zero_grad()
    loss = (w.sum() + b - 1).pow(2).sum()
    loss.backward()
    return loss

for i in range(4):
    loss = opt.step(closure)
    sch.step()
    print(i, loss.item(), [f"{g['lr']:.4f}" for g in opt.param_groups], w.tolist(), b.item())
sd = opt.state_dict()
print(sd["state"][0]["step"], sd["param_groups"][0]["lr"], sd["param_groups"][1]["params"])
opt2 = SignSGD([{"params": [w]}, {"params": [b]}])
opt2.load_state_dict(sd)
print(opt2.state[w]["exp_avg"], opt2.param_groups[1]["lr"])
try:
    SignSGD([w], lr=-1)
except ValueError as e:
    print(e)
try:
    SignSGD([w, w])
except Exception as e:
    print(type(e).__name__, e)
