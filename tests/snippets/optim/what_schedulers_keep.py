# What schedulers keep about their steps, which schedulers of one's own read and set.
import warnings

import torch
from torch import nn, optim
from torch.optim import lr_scheduler

w = nn.Parameter(torch.tensor([1.0, 2.0]))


def made(lr=0.1):
    return optim.SGD([w], lr=lr, momentum=0.9)


class Warmup(lr_scheduler.LRScheduler):
    def __init__(self, optimizer, steps, last_epoch=-1):
        self.steps = steps
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if not self._get_lr_called_within_step:
            print("outside of a step")
        if self._step_count <= self.steps:
            return [base * self._step_count / self.steps for base in self.base_lrs]
        return [group["lr"] for group in self.optimizer.param_groups]


class Gradual(lr_scheduler.LRScheduler):
    """Steps as the warm-up schedulers do that are found on the net."""

    def __init__(self, optimizer, total, after=None):
        self.total, self.after, self.finished = total, after, False
        super().__init__(optimizer)

    def get_lr(self):
        if self.last_epoch > self.total:
            if self.after is not None:
                if not self.finished:
                    self.after.base_lrs = [base for base in self.base_lrs]
                    self.finished = True
                return self.after.get_last_lr()
            return list(self.base_lrs)
        return [base * (self.last_epoch / self.total) for base in self.base_lrs]

    def step(self, epoch=None):
        if self.finished and self.after is not None:
            self.after.step()
            self._last_lr = self.after.get_last_lr()
        else:
            super().step(epoch)


class Lookahead(optim.Optimizer):
    def __init__(self, base, k=2, alpha=0.5):
        self.base, self.k, self.alpha, self.count = base, k, alpha, 0
        self.param_groups, self.state, self.defaults = base.param_groups, base.state, base.defaults
        self.slow = [p.detach().clone() for group in self.param_groups for p in group["params"]]

    def step(self, closure=None):
        self.base.step(closure)
        self.count += 1
        if self.count % self.k == 0:
            with torch.no_grad():
                for slow, p in zip(self.slow, [p for group in self.param_groups for p in group["params"]]):
                    slow += self.alpha * (p - slow)
                    p.copy_(slow)


def descend(optimizer):
    optimizer.zero_grad()
    (w**2).sum().backward()
    optimizer.step()


optimizer = made()
warmup = Warmup(optimizer, 4)
for _ in range(5):
    descend(optimizer)
    warmup.step()
    print(warmup._step_count, warmup._last_lr, warmup._is_initial, warmup._get_lr_called_within_step)
print(warmup.get_lr(), sorted(vars(warmup)))

optimizer = made()
after = lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
gradual = Gradual(optimizer, 3, after)
for _ in range(8):
    descend(optimizer)
    gradual.step()
    print([round(lr, 6) for lr in gradual._last_lr], after._step_count)
print(after._get_closed_form_lr(), hasattr(gradual, "_get_closed_form_lr"))
gradual._step_count = 1
gradual._last_lr = [0.5]
print(gradual.get_last_lr(), gradual.state_dict()["_step_count"])

ahead = Lookahead(made(0.05))
schedule = lr_scheduler.CosineAnnealingLR(ahead, T_max=4)
for _ in range(3):
    descend(ahead)
    schedule.step()
print(schedule._last_lr, w, ahead._opt_called)

optimizer = made()
parts = [lr_scheduler.ConstantLR(optimizer, 0.1, 2), lr_scheduler.ExponentialLR(optimizer, 0.9)]
chain = lr_scheduler.SequentialLR(optimizer, parts, [2])
print(len(chain._schedulers), chain._milestones, chain._schedulers[1].last_epoch, chain._schedulers[0]._step_count)
print(lr_scheduler.ChainedScheduler(parts)._schedulers[1] is parts[1])

cycle = lr_scheduler.OneCycleLR(made(), 1.0, total_steps=10, three_phase=True)
print(cycle._schedule_phases, cycle._anneal_func_type)
print(list(cycle.state_dict()))

plateau = lr_scheduler.ReduceLROnPlateau(made(), mode="max", patience=0, cooldown=1)
print(list(plateau.state_dict()), plateau._is_better(2, 1), plateau._last_lr)
plateau.step(3.0)
plateau.step(2.0)
print(plateau.best, plateau.cooldown_counter, plateau._last_lr)
plateau._reset()
print(plateau.best, plateau.cooldown_counter, plateau.num_bad_epochs)
plateau._reduce_lr(3)
print(plateau.optimizer.param_groups[0]["lr"])


class Telling(lr_scheduler.ReduceLROnPlateau):
    def _reduce_lr(self, epoch):
        print("reduced at", epoch)
        super()._reduce_lr(epoch)


telling = Telling(made(), patience=0)
for loss in (1.0, 2.0, 3.0):
    telling.step(loss)

optimizer = made()
descend(optimizer)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    late = lr_scheduler.StepLR(optimizer, 1)
    late.step()
    print(len(seen), str(seen[0].message)[:80] if seen else "")
