# An optimizer class of our own beside torch's
import torch
from torch.optim import Optimizer

class SignSGD(Optimizer):
    def __init__(self, params, lr=0.1, decay=0.0):
        if lr <= 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        super().__init__(params, dict(lr=lr, decay=decay))

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
                state["n"] = state.get("n", 0) + 1
                p.add_(p.grad.sign(), alpha=-group["lr"]).mul_(1 - group["decay"])
        return loss

w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = SignSGD([w], lr=0.3, decay=0.01)
def closure():
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    return loss
for _ in range(3):
    print(opt.step(closure).item(), w.detach())
print(opt.state[w], opt)
try:
    SignSGD([w], lr=-1)
except ValueError as e:
    print(e)
