# A scheduler derived from _LRScheduler and LRScheduler with get_lr and closed form
import torch
from torch.optim.lr_scheduler import _LRScheduler, LRScheduler
class Poly(_LRScheduler):
    def __init__(self, opt, total, power=2., last_epoch=-1): self.total, self.power = total, power; super().__init__(opt, last_epoch)
    def get_lr(self): return [b * max(0., 1 - self.last_epoch / self.total) ** self.power for b in self.base_lrs]
class Warm(LRScheduler):
    def __init__(self, opt, k): self.k = k; super().__init__(opt)
    def get_lr(self): return [g["lr"] * 1.1 if 0 < self.last_epoch < self.k else g["lr"] for g in self.optimizer.param_groups]
p = torch.nn.Parameter(torch.ones(1)); o = torch.optim.SGD([p], lr=1.); s = Poly(o, 4)
for _ in range(5): o.step(); s.step(); print(s.last_epoch, s.get_last_lr(), o.param_groups[0]["lr"])
print(sorted(s.state_dict()), isinstance(s, _LRScheduler)); w = Warm(torch.optim.SGD([p], lr=1.), 3)
for _ in range(4): w.optimizer.step(); w.step()
print(w.get_last_lr(), w.base_lrs)
