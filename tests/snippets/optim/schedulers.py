# Learning rates of several schedulers
import torch
from torch.optim import lr_scheduler as S

def rates(make, steps=7):
    opt = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    sched = make(opt)
    out = []
    for _ in range(steps):
        out.append(round(sched.get_last_lr()[0], 4))
        opt.step()
        sched.step()
    return out

print("StepLR     ", rates(lambda o: S.StepLR(o, step_size=2, gamma=0.5)))
print("MultiStep  ", rates(lambda o: S.MultiStepLR(o, milestones=[1, 4], gamma=0.1)))
print("Exponential", rates(lambda o: S.ExponentialLR(o, gamma=0.9)))
print("Cosine     ", rates(lambda o: S.CosineAnnealingLR(o, T_max=6)))
print("Lambda     ", rates(lambda o: S.LambdaLR(o, lr_lambda=lambda e: 1 / (e + 1))))
print("Linear     ", rates(lambda o: S.LinearLR(o, start_factor=0.1, total_iters=4)))
print("OneCycle   ", rates(lambda o: S.OneCycleLR(o, max_lr=0.5, total_steps=8), 7))
print("Cyclic     ", rates(lambda o: S.CyclicLR(o, base_lr=0.1, max_lr=0.5, step_size_up=3)))
print("WarmRestart", rates(lambda o: S.CosineAnnealingWarmRestarts(o, T_0=3)))
print("Sequential ", rates(lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.5)], milestones=[2])))
