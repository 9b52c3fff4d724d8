# Learning rates of many schedulers over a few epochs, chained and sequential, with state dicts
import torch
import torch.nn as nn
from torch.optim import SGD, Adam
from torch.optim import lr_scheduler as S

def make(lr=0.1):
    return SGD([nn.Parameter(torch.zeros(1))], lr=lr, momentum=0.9)

def run(fac, n=6, **kw):
    opt = make(**kw)
    sch = fac(opt)
    out = []
    for _ in range(n):
        out.append(round(opt.param_groups[0]["lr"], 6))
        opt.step()
        sch.step()
    return out

table = {
    "StepLR": lambda o: S.StepLR(o, 2, 0.5),
    "MultiStepLR": lambda o: S.MultiStepLR(o, [1, 4], 0.1),
    "ExponentialLR": lambda o: S.ExponentialLR(o, 0.9),
    "CosineAnnealingLR": lambda o: S.CosineAnnealingLR(o, T_max=4, eta_min=0.01),
    "LinearLR": lambda o: S.LinearLR(o, start_factor=0.25, total_iters=3),
    "ConstantLR": lambda o: S.ConstantLR(o, 0.5, 2),
    "PolynomialLR": lambda o: S.PolynomialLR(o, 4, 2.0),
    "CosineWarm": lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2),
    "CyclicLR": lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2),
    "OneCycle": lambda o: S.OneCycleLR(o, max_lr=1.0, total_steps=8),
    "LambdaLR": lambda o: S.LambdaLR(o, lambda e: 1 / (e + 1)),
    "MultiplicativeLR": lambda o: S.MultiplicativeLR(o, lambda e: 0.9),
    "Sequential": lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.5)], [2]),
    "Chained": lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.5)]),
}
for name, fac in table.items():
    print(f"{name:<18}", run(fac))
opt = make()
plateau = S.ReduceLROnPlateau(opt, "min", factor=0.5, patience=1, threshold=1e-2)
for loss in [1.0, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5]:
    plateau.step(loss)
    print(loss, opt.param_groups[0]["lr"], plateau.num_bad_epochs, end="; ")
print()
sch = S.StepLR(make(), 2)
print(sch.state_dict())
print(sch.get_last_lr(), sch.last_epoch, sch.base_lrs)
try:
    S.OneCycleLR(make(), max_lr=0.1)
except ValueError as e:
    print(e)
try:
    S.StepLR("no", 2)
except Exception as e:
    print(type(e).__name__, e)
opt = Adam([nn.Parameter(torch.zeros(1))], lr=0.1)
sch = S.ExponentialLR(opt, 0.5)
sch.step()
opt.step()
print(opt)
