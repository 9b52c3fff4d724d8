# ReduceLROnPlateau watches the validation loss
import torch

w = torch.zeros(1, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="min", factor=0.1, patience=1)
for epoch, val in enumerate([1.0, 0.8, 0.81, 0.82, 0.83, 0.7, 0.7, 0.7, 0.7]):
    sched.step(val)
    print(f"epoch {epoch} val {val:.2f} lr {opt.param_groups[0]['lr']:.0e} bad {sched.num_bad_epochs}")
print(sched.best)
