# Warm-up followed by cosine decay, with the learning rate printed and the state saved
import math
import torch

p = torch.nn.Parameter(torch.zeros(1))
opt = torch.optim.AdamW([p], lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
warmup, total = 3, 10
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: (s + 1) / warmup if s < warmup else 0.5 * (1 + math.cos(math.pi * (s - warmup) / (total - warmup))))
lrs = []
for step in range(total):
    p.grad = torch.ones(1)
    opt.step()
    lrs.append(opt.param_groups[0]["lr"])
    sched.step()
print(["%.2e" % lr for lr in lrs])
print(sched.state_dict()["last_epoch"], sched.get_last_lr(), p)
