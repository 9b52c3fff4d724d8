# Hooks around the step of an optimizer of one's own
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook


class Sign(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-group["lr"])
        return loss


w = torch.tensor([1.0, -2.0], requires_grad=True)
optimizer = Sign([w])
log = []
pre = optimizer.register_step_pre_hook(lambda o, args, kwargs: log.append(("pre", len(args), sorted(kwargs))))
optimizer.register_step_post_hook(lambda o, args, kwargs: log.append("post"))
every = register_optimizer_step_post_hook(lambda o, args, kwargs: log.append(type(o).__name__))
(w**3).sum().backward()
print(optimizer.step(), w, log)
log.clear()
pre.remove()
print(optimizer.step(closure=lambda: (w**2).sum()), log)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
optimizer.step()
scheduler.step()
print(optimizer.param_groups[0]["lr"], scheduler.get_last_lr(), log)
every.remove()
early = torch.optim.lr_scheduler.StepLR(Sign([w]), 1)
early.step()
print(early.get_last_lr())
